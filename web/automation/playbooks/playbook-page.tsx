import { Alert, Badge, Button, Group, List, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { nameOf, useNames } from '../../api/names.ts'
import type { Playbook } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Moment } from '../../ui/moment.tsx'
import type { PageTab } from '../../ui/page-tabs.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { RulePage } from '../rule-page.tsx'
import { timesOf, useTaskTimes } from '../task-times.ts'
import { SamplePicker } from './editor/sample-picker.tsx'
import { saveAsFile } from './export-file.ts'
import { useReferenceNames } from './names.ts'
import { OBJECTS, PLAYBOOKS, type Step } from './playbook.ts'
import { stepKindsQuery } from './playbook-queries.ts'
import { Confirm } from './runs/run-dialog.tsx'
import { resumePlaybook } from './runs/run-queries.ts'
import { RUN_STATES } from './runs/run-step.ts'
import { PlaybookRuns } from './runs/run-table.tsx'
import { stepSentence } from './step-words.ts'
import { triggerInWords } from './trigger-words.ts'

const TABS: readonly PageTab<Playbook>[] = [
  { name: 'overview', label: 'Overview', show: (playbook) => <Overview playbook={playbook} /> },
  { name: 'runs', label: 'Runs', show: ({ id }) => <PlaybookRuns playbook={id} /> },
]

/** The page of a playbook: its trigger, steps and runs. */
export function PlaybookPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <RulePage<Playbook>
      key={id}
      kind={PLAYBOOKS}
      id={id}
      tabs={TABS}
      notice={(playbook) =>
        playbook.paused_reason !== null && <Paused playbook={playbook} reason={playbook.paused_reason} />
      }
      actions={(playbook) => (
        <>
          <ExportButton playbook={playbook} />
          <RunOnObject playbook={playbook} />
        </>
      )}
    />
  )
}

function Paused({ playbook, reason }: { readonly playbook: Playbook; readonly reason: string }) {
  const mayChange = useMay()('modify playbooks')
  const resumed = useMutation({
    mutationFn: () => resumePlaybook(playbook.id),
    onSuccess: () => showToast(`“${defangText(playbook.name)}” resumed`),
    onError: showErrorToast,
  })
  return (
    <Alert mb="md" color="red" icon={<Icon name="pause" />} title="This playbook is paused">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{defangText(reason)}</Text>
        {mayChange && (
          <Button size="compact-sm" loading={resumed.isPending} onClick={() => resumed.mutate()}>
            Resume
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

function ExportButton({ playbook }: { readonly playbook: Playbook }) {
  const kinds = useQuery(stepKindsQuery)
  const names = useReferenceNames()
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={14} />}
      disabled={!kinds.data}
      onClick={() => saveAsFile(playbook, playbook.steps as readonly Step[], kinds.data ?? [], names)}
    >
      Export
    </Button>
  )
}

/** Runs the playbook by hand on an object that the user chooses. */
function RunOnObject({ playbook }: { readonly playbook: Playbook }) {
  const [isOpen, setIsOpen] = useState(false)
  const [id, setId] = useState<string | null>(null)
  const { collection, query = null } = playbook.trigger
  const close = () => setIsOpen(false)
  return (
    <>
      <Button variant="default" leftSection={<Icon name="play" size={14} />} onClick={() => setIsOpen(true)}>
        Run by hand
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Run “${defangText(playbook.name)}” by hand`} size="lg">
        <Stack>
          <SamplePicker
            label={`Run on this ${OBJECTS[collection].one}`}
            collection={collection}
            query={query}
            placeholder="Type to search"
            value={id}
            onChange={setId}
          />
          <Text size="xs" c="dimmed">
            To run it on several {OBJECTS[collection].many}, select them in the search and choose “Run playbook”.
          </Text>
          <Confirm
            key={id}
            playbook={playbook}
            target={{ collection, ids: id === null ? [] : [id], count: id === null ? 0 : 1 }}
            onClose={close}
          />
        </Stack>
      </Modal>
    </>
  )
}

function Overview({ playbook }: { readonly playbook: Playbook }) {
  const users = useNames('users')
  const times = timesOf(useTaskTimes([playbook.task]), playbook)
  return (
    <Stack>
      <Facts
        facts={[
          ['Last run', <Moment key="last" at={playbook.last_run_at} otherwise="Never" />],
          ['Next scheduled', <Moment key="next" at={times?.next_run_at ?? null} otherwise="Not scheduled" />],
          [
            'Owner',
            playbook.last_updated_by === null ? 'Unknown' : defangText(nameOf(users, playbook.last_updated_by)),
          ],
          ['Version', String(playbook.version)],
          ['Last saved', <Moment key="saved" at={playbook.last_updated_at} />],
          ['Repeat', repeatInWords(playbook.trigger)],
        ]}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
        <StepsCard playbook={playbook} />
        <RunsCard playbook={playbook} />
      </SimpleGrid>
    </Stack>
  )
}

const repeatInWords = ({ type, repeat }: Playbook['trigger']): string => {
  if (type === 'manual') return 'Whenever it is run'
  return repeat === 'each_change' ? 'Each time' : 'Once for each object'
}

function StepsCard({ playbook }: { readonly playbook: Playbook }) {
  const kinds = useQuery(stepKindsQuery)
  const steps = playbook.steps as readonly Step[]
  const names = useReferenceNames(steps)
  const all = kinds.data ?? []
  return (
    <Card title="What it does">
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {triggerInWords(playbook.trigger)}:
      </Text>
      <List type="ordered" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {steps.map((step, i) => {
          const { condition, words } = stepSentence(steps, i, all, names)
          return <List.Item key={step.id}>{condition ? `${condition}: ${words}` : words}</List.Item>
        })}
      </List>
    </Card>
  )
}

function RunsCard({ playbook: { run_counts } }: { readonly playbook: Playbook }) {
  const counts = Object.entries(RUN_STATES).filter(([state]) => Number(run_counts[state] ?? 0) > 0)
  return (
    <Card title="Runs of the last 30 days">
      {counts.length === 0 && (
        <Text size="sm" c="dimmed">
          No runs yet
        </Text>
      )}
      <Group gap="lg">
        {counts.map(([state, { label, color }]) => (
          <div key={state}>
            <Text fz={28} fw={600} lh={1.2}>
              {Number(run_counts[state]).toLocaleString('en')}
            </Text>
            <Badge variant="light" radius="xs" color={color}>
              {label}
            </Badge>
          </div>
        ))}
      </Group>
    </Card>
  )
}
