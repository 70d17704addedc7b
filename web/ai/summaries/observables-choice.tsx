import { MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../../api/lists.ts'
import type { Observable } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { defang, observableTypeName } from '../../domain/observables.ts'

/** The most observables of one report. */
const MAX = 20
/** Among so many of the entities, the user chooses. */
const OFFERED = 500

interface ObservablesChoiceProps {
  /** The ids of the entities that a report is about. */
  readonly entities: readonly string[]
  readonly value: readonly string[]
  readonly onChange: (ids: string[]) => void
}

/** Which observables of the entities a report names; nothing if they have none, or the user may not read them. */
export function ObservablesChoice({ entities, value, onChange }: ObservablesChoiceProps) {
  const may = useMay()
  const found = useQuery({
    ...listQuery<Observable>('observables', {
      'filter[entities]': entities,
      attributes: 'id,type,value',
      limit: OFFERED,
    }),
    enabled: may('read extracts'),
  })
  const { data: observables = [], total_count = 0 } = found.data ?? {}
  if (observables.length === 0) return null
  const left = total_count - observables.length
  return (
    <MultiSelect
      label="Observables"
      description={`Up to ${MAX} that the report is about.${left > 0 ? ` The first ${OFFERED} of ${total_count.toLocaleString('en')} are listed.` : ''}`}
      placeholder={value.length === 0 ? 'None' : ''}
      searchable
      clearable
      hidePickedOptions
      maxValues={MAX}
      limit={100}
      nothingFoundMessage="No matches"
      clearButtonProps={{ 'aria-label': 'Clear observables' }}
      data={observables.map(({ id, type, value: of }) => ({
        value: String(id),
        label: `${defang(type, of)} (${observableTypeName(type)})`,
      }))}
      value={[...value]}
      onChange={onChange}
    />
  )
}
