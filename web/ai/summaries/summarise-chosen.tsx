import { call } from '../../api/call.ts'
import { type Page, searchOf } from '../../api/lists.ts'
import type { Chosen } from '../../search/chosen.ts'
import { selectedQueries } from '../../search/selection.ts'
import { SummariseEntities } from './summarise-entities.tsx'

/** Summarises the selected entities, or writes a report about them. */
export function SummariseChosen({ chosen }: { readonly chosen: Chosen }) {
  if (chosen.searched !== 'entities') return null
  return <SummariseEntities count={chosen.count} readIds={() => idsOf(chosen)} />
}

async function idsOf({ selection, whole }: Extract<Chosen, { searched: 'entities' }>): Promise<readonly string[]> {
  if (!selection.isAll) return [...selection.ids]
  const [query] = selectedQueries(selection, whole)
  const { data } = await call<Page<{ id: string }>>(
    'GET',
    `entities${searchOf({ query, limit: 10, attributes: 'id' })}`,
  )
  return data.map(({ id }) => id)
}
