import { call } from '../../api/call.ts'
import { type Page, searchOf } from '../../api/lists.ts'
import type { Chosen } from '../../search/chosen.ts'
import { selectedQueries } from '../../search/selection.ts'
import { TextMenu } from './text-menu.tsx'

/** What language models can do with the selected entities. */
export function ChosenMenu({ chosen }: { readonly chosen: Chosen }) {
  if (chosen.searched !== 'entities') return null
  return <TextMenu count={chosen.count} readIds={() => idsOf(chosen)} />
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
