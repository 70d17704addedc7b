import { Button, Paper } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMay } from '../api/session.ts'
import { RunProgress } from '../background/run-progress.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Icon } from '../ui/icon.tsx'
import { type Changed, renewRules, runRule } from './rule-actions.ts'
import type { Rule } from './rule-kind.ts'

/** Starts runs of an object on its page, for `RunNowButton` and `RunNowProgress`. */
export const useRunNow = (kind: Changed, rule: Pick<Rule, 'task'>) =>
  useMutation({ mutationFn: () => runRule(kind, rule) })

interface StartedProps {
  readonly started: ReturnType<typeof useRunNow>
}

interface RunNowButtonProps {
  readonly isActive: boolean
  readonly label?: string | undefined
}

/** Starts a run; absent without the permission. */
export function RunNowButton({ started, isActive, label = 'Run now' }: StartedProps & RunNowButtonProps) {
  if (!useMay()('modify tasks')) return null
  return (
    <Button
      leftSection={<Icon name="play" size={14} />}
      loading={started.isPending}
      disabled={!isActive}
      onClick={() => started.mutate()}
    >
      {label}
    </Button>
  )
}

/** The progress of the run, or why it could not be started. */
export const RunNowProgress = ({ started, kind }: StartedProps & { readonly kind: Changed }) => (
  <>
    <ErrorFaults error={started.error} />
    {started.data && (
      <Paper withBorder p="md" mb="md">
        <RunProgress key={started.data} run={started.data} onEnded={() => void renewRules(kind)} />
      </Paper>
    )}
  </>
)
