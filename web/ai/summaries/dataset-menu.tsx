import { call } from '../../api/call.ts'
import { type Page, searchOf } from '../../api/lists.ts'
import type { Dataset } from '../../api/resources.ts'
import { MAX_ENTITIES, TextMenu } from './text-menu.tsx'

/** What language models can do with the entities of a dataset; if there are more than ten, with the most recently changed ones. */
export function DatasetMenu({ dataset: { id, entities_count } }: { readonly dataset: Dataset }) {
  const readIds = async () => {
    const search = searchOf({
      'filter[datasets]': id,
      sort: '-last_updated_at',
      limit: MAX_ENTITIES,
      attributes: 'id',
    })
    return (await call<Page<{ id: string }>>('GET', `entities${search}`)).data.map((entity) => entity.id)
  }
  const note = `The ${MAX_ENTITIES} most recently changed of ${entities_count.toLocaleString('en')} entities.`
  return (
    <TextMenu
      count={Math.min(entities_count, MAX_ENTITIES)}
      readIds={readIds}
      note={entities_count > MAX_ENTITIES ? note : undefined}
      size="sm"
    />
  )
}
