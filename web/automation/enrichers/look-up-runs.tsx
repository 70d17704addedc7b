import { Badge, Group, Text } from '@mantine/core'
import type { ListedRun } from '../../background/run-table.tsx'
import { TaskRuns } from '../../background/task-runs.tsx'
import { defangText } from '../../domain/defang-text.ts'
import { outcomeOf } from './run-outcome.ts'

interface LookUpRunsProps {
  /** The URL of the task. */
  readonly task: string | null
  /** When runs appear here, if there are none. */
  readonly empty: string
}

/** The runs of a task that looks observables up. The page of each run lists the look-ups without a result. */
export const LookUpRuns = ({ task, empty }: LookUpRunsProps) => (
  <TaskRuns task={task} empty={empty} outcome={(run) => <LookUpOutcome run={run} />} />
)

function LookUpOutcome({ run }: { readonly run: ListedRun }) {
  const outcome = outcomeOf({ result: run.result ?? null })
  const text = run.error_detail || (outcome?.counts.length === 0 ? outcome.summary || 'Nothing to look up' : '')
  return (
    <>
      <Group gap={4}>
        {outcome?.counts.map(({ label, count, color }) => (
          <Badge key={label} variant="light" radius="xs" color={color} tt="none">
            {count.toLocaleString('en')} {label}
          </Badge>
        ))}
      </Group>
      {text && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {defangText(text)}
        </Text>
      )}
    </>
  )
}
