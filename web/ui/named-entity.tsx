import { Group } from '@mantine/core'
import { EntityIcon } from './entity-icon.tsx'
import { entityTitle } from './entity-title.ts'
import { PageLink } from './page-link.tsx'

/** An entity as far as its name needs it. */
export interface NamedEntity {
  readonly id: string
  readonly data: { readonly type: string; readonly title?: string }
  readonly meta: { readonly alias?: string; readonly tlp_color?: string | null; readonly is_withdrawn?: unknown }
}

/** What is asked of an entity to name it. */
export const NAMED_ATTRIBUTES = 'id,data.type,data.title,meta.alias,meta.tlp_color,meta.is_withdrawn,last_updated_at'

/** The icon and title of an entity on one line, which lead to its page. */
export function EntityName({ entity }: { readonly entity: NamedEntity }) {
  return (
    <Group gap={6} wrap="nowrap" miw={0}>
      <EntityIcon type={entity.data.type} />
      <PageLink to={`/entities/${entity.id}`} truncate="end">
        {entityTitle(entity)}
      </PageLink>
    </Group>
  )
}
