import { useQuery } from '@tanstack/react-query'
import { idOf, oneQuery } from '../../../api/lists.ts'
import type { File, Observable } from '../../../api/resources.ts'
import { EntityName } from '../../../intelligence/named-entity.tsx'
import { useNamedEntities } from '../../../intelligence/use-named-entities.ts'
import { PageLink } from '../../../ui/page-link.tsx'
import { OBJECTS } from '../playbook.ts'
import type { Tried } from './run-step.ts'

/** The object of a dry run, with a link to its page. */
export function TriedObject({
  tried: { collection, object },
}: {
  readonly tried: Pick<Tried, 'collection' | 'object'>
}) {
  const id = idOf(object)
  const entities = useNamedEntities(collection === 'entities' ? [object] : [])
  const other = useQuery({
    ...oneQuery<Partial<Observable & File>>(`${collection}/${id}`),
    enabled: collection !== 'entities',
  })
  const entity = entities?.get(id)
  if (entity) return <EntityName entity={entity} />
  const name = other.data?.display_value ?? other.data?.name
  return <PageLink to={`/${collection}/${id}`}>{name || `Open ${OBJECTS[collection].one}`}</PageLink>
}
