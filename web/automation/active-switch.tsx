import { Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMay } from '../api/session.ts'
import { showErrorToast } from '../ui/toasts.tsx'
import { setActive } from './rule-actions.ts'
import type { RuleKind } from './rule-kind.ts'

interface ActiveSwitchProps {
  readonly kind: Pick<RuleKind, 'path' | 'permission' | 'touched'>
  readonly of: { readonly id: number; readonly name: string; readonly is_active: boolean }
  /** Shown next to the switch; without it, screen readers announce the name of the object. */
  readonly label?: string
}

/** Activates or deactivates a rule or an enricher. */
export function ActiveSwitch({ kind, of: { id, name, is_active }, label }: ActiveSwitchProps) {
  const mayChange = useMay()(`modify ${kind.permission}`)
  const switched = useMutation({
    mutationFn: (isActive: boolean) => setActive(kind, [id], isActive),
    onError: showErrorToast,
  })
  return (
    <Switch
      {...(label ? { label } : { 'aria-label': `Active: ${name}`, size: 'xs' as const })}
      checked={switched.isPending ? switched.variables : is_active}
      disabled={!mayChange || switched.isPending}
      onChange={({ currentTarget }) => switched.mutate(currentTarget.checked)}
    />
  )
}
