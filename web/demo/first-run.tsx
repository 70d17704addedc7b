import { Button, Group, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DEMO_PERMISSIONS, DEMO_TAG } from '../../server/domain/demo-data.ts'
import { call } from '../api/call.ts'
import { queries } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { RunProgress } from '../background/run-progress.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { showToast } from '../ui/toasts.tsx'

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
      <EmptyState title="No intelligence yet">
        Nothing has been added yet, or it is not shared with your groups. Ask an administrator for access.
      </EmptyState>
    )
  return (
    <Stack maw={860} mx="auto" py="xl" gap="lg">
      <div>
        <Title order={2}>Welcome to Corvus</Title>
        <Text mt={4}>
          Corvus stores and shares threat intelligence: reports, threat actors, malware, and the observables that
          identify them. Nothing has been added yet. Choose how to get started:
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {canLoad && (
          <StartOption
            icon="spark"
            title="Explore demo data"
            text={`Load ${DEMO_ENTITIES} fictional entities with relationships and observables.`}
          >
            <Button loading={started.isPending} disabled={started.isSuccess} onClick={() => started.mutate()}>
              Load demo data
            </Button>
          </StartOption>
        )}
        {may('modify files') && (
          <StartOption icon="upload" title="Import a file" text="STIX, MISP, CSV, PDF, email and many other formats.">
            <Button variant="default" component={Link} to="/files">
              Upload file
            </Button>
          </StartOption>
        )}
        {may('modify incoming-feeds') && (
          <StartOption icon="incoming" title="Connect a feed" text="TAXII servers, MISP feeds, web pages and folders.">
            <Button variant="default" component={Link} {...NEW_FEED}>
              Create feed
            </Button>
          </StartOption>
        )}
        {may('modify entities') && (
          <StartOption icon="edit" title="Create your own" text="Record your own findings as an entity.">
            <Button variant="default" component={Link} to="/entities/new">
              Create entity
            </Button>
          </StartOption>
        )}
      </SimpleGrid>
      <ErrorFaults error={started.error} />
      {started.data && (
        <Paper withBorder p="md">
          <RunProgress
            run={started.data.data.task_run}
            onEnded={({ state }) => {
              if (state === 'SUCCESS') showToast(`Demo data loaded. All of it is tagged ${DEMO_TAG}.`)
              void queries.invalidateQueries()
            }}
          />
        </Paper>
      )}
      <Tips />
    </Stack>
  )
}

interface StartOptionProps {
  readonly icon: IconName
  readonly title: string
  readonly text: string
  readonly children: ReactNode
}

function StartOption({ icon, title, text, children }: StartOptionProps) {
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
        Tips
      </Title>
      <List size="sm" spacing={4}>
        <List.Item>
          Press <b>Ctrl+K</b> to find any page, entity or observable, <b>/</b> to search, or <b>?</b> to list all
          shortcuts.
        </List.Item>
        <List.Item>Indicators are always shown defanged. You can copy them defanged or as stored.</List.Item>
        <List.Item>
          Times are in UTC; hover over one to see your local time. Change theme and clock in your profile.
        </List.Item>
        <List.Item>To delete the demo data, press Ctrl+K and choose “Remove demo data”.</List.Item>
      </List>
    </div>
  )
}
