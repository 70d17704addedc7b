import { Button, Group, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DEMO_PERMISSIONS, DEMO_TAG } from '../../server/domain/demo-data.ts'
import { call } from '../api/call.ts'
import { queries } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { EmptyState } from './empty-state.tsx'
import { ErrorFaults } from './faults.tsx'
import { Icon, type IconName } from './icon.tsx'
import { RunProgress } from './run-progress.tsx'
import { say } from './toasts.tsx'

const DEMO_ENTITIES = 500

// Query parameters are not part of the route types.
const NEW_FEED = { to: '/incoming-feeds', search: { new: true } } as { to: string }

/** The welcome page of an empty installation: what Corvus is for, and how to get started. */
export function FirstRun() {
  const may = useMay()
  const started = useMutation({
    mutationFn: () => call<{ data: { task_run: string } }>('POST', 'demo-data', { data: { count: DEMO_ENTITIES } }),
  })
  const canLoad = DEMO_PERMISSIONS.every(may)
  if (!['modify files', 'modify incoming-feeds', 'modify entities'].some(may))
    return (
      <EmptyState title="There is nothing here yet">
        Either nobody has added anything, or it is not for your groups. Ask an administrator.
      </EmptyState>
    )
  return (
    <Stack maw={860} mx="auto" py="xl" gap="lg">
      <div>
        <Title order={2}>Welcome to Corvus</Title>
        <Text mt={4}>
          Corvus keeps what you know of threats: reports, actors, malware, and the observables by which they are
          recognised. There is nothing in it yet. Begin in one of these ways:
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {canLoad && (
          <Way
            icon="spark"
            title="Look around"
            text={`Load ${DEMO_ENTITIES} invented entities, with relationships and observables.`}
          >
            <Button loading={started.isPending} disabled={started.isSuccess} onClick={() => started.mutate()}>
              Load demo data
            </Button>
          </Way>
        )}
        {may('modify files') && (
          <Way icon="upload" title="Bring a file" text="STIX, MISP, CSV, PDF, e-mails and many more.">
            <Button variant="default" component={Link} to="/files">
              Upload a file
            </Button>
          </Way>
        )}
        {may('modify incoming-feeds') && (
          <Way icon="incoming" title="Collect" text="From TAXII servers, MISP feeds, web pages, folders.">
            <Button variant="default" component={Link} {...NEW_FEED}>
              Add a feed
            </Button>
          </Way>
        )}
        {may('modify entities') && (
          <Way icon="edit" title="Write" text="What you have found out yourself.">
            <Button variant="default" component={Link} to="/entities/new">
              Create an entity
            </Button>
          </Way>
        )}
      </SimpleGrid>
      <ErrorFaults error={started.error} />
      {started.data && (
        <Paper withBorder p="md">
          <RunProgress
            run={started.data.data.task_run}
            onEnded={({ state }) => {
              if (state === 'SUCCESS') say(`The demo data is loaded. All of it has the tag ${DEMO_TAG}.`)
              void queries.invalidateQueries()
            }}
          />
        </Paper>
      )}
      <Tips />
    </Stack>
  )
}

interface WayProps {
  readonly icon: IconName
  readonly title: string
  readonly text: string
  readonly children: ReactNode
}

function Way({ icon, title, text, children }: WayProps) {
  return (
    <Paper withBorder p="md">
      <Group wrap="nowrap" align="flex-start">
        <Icon name={icon} size={22} />
        <Stack gap="xs" align="flex-start">
          <div>
            <Title order={3} size="h4">
              {title}
            </Title>
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          </div>
          {children}
        </Stack>
      </Group>
    </Paper>
  )
}

function Tips() {
  return (
    <div>
      <Title order={3} size="h4" mb="xs">
        Good to know
      </Title>
      <List size="sm" spacing={4}>
        <List.Item>
          <b>Ctrl+K</b> finds every page, entity and observable; <b>/</b> leads to the search; <b>?</b> shows all
          shortcuts.
        </List.Item>
        <List.Item>Indicators are always shown defanged. Copy them as they are, or defanged.</List.Item>
        <List.Item>Times are UTC; hover to see your own. Theme and clock are in your profile.</List.Item>
        <List.Item>Demo data goes again with “Remove the demo data” in Ctrl+K.</List.Item>
      </List>
    </div>
  )
}
