import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { TextMenu } from '../../ai/summaries/text-menu.tsx'
import type { Entity } from '../../api/resources.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import type { EntityTab } from '../../intelligence/entity/entity.tsx'

interface EntityMenuProps {
  readonly entity: Entity
  /** Tabs that are opened from the menu. */
  readonly tabs: readonly EntityTab[]
}

/** What language models can do with an entity. */
export function EntityMenu({ entity, tabs }: EntityMenuProps) {
  const navigate = useNavigate()
  const shown = tabs.filter(({ isShown }) => !isShown || isShown(entity))
  return (
    <TextMenu count={1} readIds={async () => [entity.id]} title={entityTitle(entity)} size="sm">
      {shown.length > 0 &&
        shown.map(({ name, label }) => (
          <Menu.Item
            key={name}
            onClick={() => void navigate({ to: '/entities/$id', params: { id: entity.id }, search: { tab: name } })}
          >
            {label}
          </Menu.Item>
        ))}
    </TextMenu>
  )
}
