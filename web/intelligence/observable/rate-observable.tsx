import { Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { queries } from '../../api/queries.ts'
import type { Observable } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { MaliciousnessBadge } from '../../ui/badges.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { MALICIOUSNESS } from './observables-field.tsx'

const LABELS: Readonly<Record<string, string>> = {
  unknown: 'Unknown',
  safe: 'Safe',
  low: 'Malicious: low',
  medium: 'Malicious: medium',
  high: 'Malicious: high',
}

async function rate(id: number, maliciousness: string): Promise<void> {
  await call('PATCH', `observables/${id}`, { data: { meta: { maliciousness } } })
  await queries.invalidateQueries({
    predicate: ({ queryKey: [path] }) => /observables|neighbourhood/.test(String(path)),
  })
}

interface RateObservableProps {
  readonly observable: Pick<Observable, 'id' | 'meta' | 'display_value'>
}

/** The maliciousness of an observable, editable with the permission. */
export function RateObservable({ observable: { id, meta, display_value } }: RateObservableProps) {
  const may = useMay()
  const before = meta.maliciousness
  const rated = useMutation({
    // The previous value is kept for undo, because the page shows only the new one afterwards.
    mutationFn: ({ level }: { level: string; before: string }) => rate(id, level),
    onSuccess: (_, change) =>
      showToast(`Maliciousness set to ${LABELS[change.level]?.toLowerCase()}`, () => rate(id, change.before)),
    onError: showErrorToast,
  })
  const shown = rated.isPending ? rated.variables.level : before
  if (!may('modify extracts')) return <MaliciousnessBadge maliciousness={before} />
  return (
    <Select
      openOnFocus={false}
      size="xs"
      w={170}
      aria-label={`Maliciousness of ${display_value}`}
      data={MALICIOUSNESS.map((value) => ({ value, label: LABELS[value] ?? value }))}
      value={shown}
      onChange={(level) => level && level !== before && rated.mutate({ level, before })}
      allowDeselect={false}
      leftSection={<Dot level={shown} />}
    />
  )
}

const COLOURS: Readonly<Record<string, string>> = {
  unknown: 'gray',
  safe: 'green',
  low: 'yellow',
  medium: 'orange',
  high: 'red',
}

const Dot = ({ level }: { readonly level: string }) => (
  <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
    <circle cx="5" cy="5" r="4" fill={`var(--mantine-color-${COLOURS[level] ?? 'gray'}-6)`} />
  </svg>
)
