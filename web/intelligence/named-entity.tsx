import { Group } from '@mantine/core'
import { entityTitle } from '../domain/entity-title.ts'
import { UnifiedBadge } from '../ui/badges.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { EntityIcon } from './entity-icon.tsx'

/** The attributes of an entity that are needed to show its name. */
export interface NamedEntity {
  readonly id: string
  readonly data: { readonly type: string; readonly title?: string }
  readonly meta: {
    readonly alias?: string
    readonly tlp_color?: string | null
    readonly is_withdrawn?: unknown
    readonly is_unified_entity?: unknown
  }
}

/** The attributes to request for showing the name of an entity. */
export const NAMED_ATTRIBUTES =
  'id,data.type,data.title,meta.alias,meta.tlp_color,meta.is_withdrawn,meta.is_unified_entity,last_updated_at'

/** The icon and title of an entity on one line, linked to its page. */
export function EntityName({ entity }: { readonly entity: NamedEntity }) {
  return (
    <Group gap={6} wrap="nowrap" miw={0}>
      <EntityIcon type={entity.data.type} />
      <PageLink to={`/entities/${entity.id}`} truncate="end">
        {entityTitle(entity)}
      </PageLink>
      {entity.meta.is_unified_entity === true && <UnifiedBadge />}
    </Group>
  )
}
