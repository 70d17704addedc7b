import { Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMay } from '../../api/session.ts'
import { showErrorToast } from '../../ui/toasts.tsx'
import { type LogSource, writeLogSources } from './log-source.ts'

interface CollectedSwitchProps {
  readonly name: string
  readonly sources: readonly Pick<LogSource, 'name' | 'channel' | 'is_collected'>[]
}

/** Switches whether some log sources are collected: off unless all of them are. */
export function CollectedSwitch({ name, sources }: CollectedSwitchProps) {
  const mayChange = useMay()('modify attack')
  const isCollected = sources.every(({ is_collected }) => is_collected)
  const written = useMutation({
    mutationFn: (is_collected: boolean) => writeLogSources(sources, { is_collected }),
    onError: showErrorToast,
  })
  return (
    <Switch
      size="xs"
      aria-label={`Collected: ${name}`}
      checked={written.isPending ? written.variables : isCollected}
      disabled={!mayChange || written.isPending}
      onChange={({ currentTarget }) => written.mutate(currentTarget.checked)}
    />
  )
}
