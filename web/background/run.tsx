import { Code, Paper, ScrollArea, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { idOf, oneQuery } from '../api/lists.ts'
import { nameOf, useNames } from '../api/names.ts'
import type { Task, TaskRun } from '../api/resources.ts'
import { defangText } from '../domain/defang-text.ts'
import { Facts } from '../ui/facts.tsx'
import { Moment } from '../ui/moment.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { lasted } from './run-list.ts'
import { RunProgress } from './run-progress.tsx'
import { useRun } from './run-queries.ts'

interface RunPageProps {
  /** A further section for runs of some kinds, of the capability that they belong to. */
  readonly children?: (run: TaskRun) => { readonly title: string; readonly content: ReactNode } | null
}

/** A task run: its progress, log and result. */
export function RunPage({ children }: RunPageProps) {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { data: run, error } = useRun(id)
  const more = run && children?.(run)
  return (
    <Stack gap="md">
      {run ? <RunHead run={run} /> : <PageHead title="Task run" />}
      <Paper withBorder p="md">
        <RunProgress run={id} hasLink={false} />
      </Paper>
      {!run && !error && <Skeleton h={240} role="status" aria-label="Loading task run" />}
      {more && <Section title={more.title}>{more.content}</Section>}
      {run && <RunDetails run={run} />}
    </Stack>
  )
}

function RunHead({ run }: { readonly run: TaskRun }) {
  const { data: task } = useQuery(oneQuery<Task>(`tasks/${idOf(run.task)}`))
  return (
    <PageHead
      title={task ? task.name : 'Task run'}
      description={task?.description}
      actions={
        <PageLink to="/runs" search={{ task: Number(idOf(run.task)) }}>
          Show all runs of this task
        </PageLink>
      }
    />
  )
}

function RunDetails({ run }: { readonly run: TaskRun }) {
  const users = useNames('users')
  return (
    <>
      <Facts
        facts={[
          ['Requested', <Moment key="asked" at={run.created_at} />],
          ['Started by', run.created_by === null ? 'Schedule' : nameOf(users, run.created_by)],
          ['Started', <Moment key="started" at={run.started_at} otherwise="Not yet" />],
          ['Ended', <Moment key="ended" at={run.ended_at} otherwise="Not yet" />],
          ['Duration', lasted(run.started_at, run.ended_at, Date.now())],
          ['Attempts', String(run.attempt)],
        ]}
      />
      {run.has_hidden_details ? (
        <Text c="dimmed" size="sm">
          Parameters, result and log are visible to the user who started the run and to users who manage tasks.
        </Text>
      ) : (
        <RunContent run={run} />
      )}
    </>
  )
}

function RunContent({ run }: { readonly run: TaskRun }) {
  return (
    <>
      <Section title="Log">
        {run.log.length === 0 ? (
          <Text c="dimmed" size="sm">
            The log is empty.
          </Text>
        ) : (
          <Paper withBorder>
            <ScrollArea.Autosize mah={360} viewportProps={{ tabIndex: 0, role: 'log', 'aria-label': 'Log' }}>
              <Code block bg="transparent">
                {run.log.map(defangText).join('\n')}
              </Code>
            </ScrollArea.Autosize>
          </Paper>
        )}
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Document title="Parameters" value={run.parameters} />
        {run.result !== null && <Document title="Result" value={run.result} />}
      </SimpleGrid>
    </>
  )
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Stack gap="xs">
    <Title order={2} size="h4">
      {title}
    </Title>
    {children}
  </Stack>
)

const Document = ({ title, value }: { readonly title: string; readonly value: unknown }) => (
  <Section title={title}>
    <Paper withBorder>
      <ScrollArea.Autosize mah={360} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': title }}>
        <Code block bg="transparent">
          {JSON.stringify(value, null, 2)}
        </Code>
      </ScrollArea.Autosize>
    </Paper>
  </Section>
)
