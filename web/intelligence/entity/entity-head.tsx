import { ActionIcon, Badge, Button, Group, Menu, Text } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { useMay } from '../../api/session.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { ConfidenceBadge, ReliabilityBadge, TlpBadge, WithdrawnBadge } from '../../ui/badges.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { ConsolidationBadges, ContributesTo } from '../contributors/head-line.tsx'
import { UnifiedActions } from '../contributors/unified-actions.tsx'
import { EntityIcon } from '../entity-icon.tsx'
import { DeleteEntity } from './delete-entity.tsx'
import type { TabProps } from './entity.tsx'
import { isUnified, typeOf } from './entity-queries.ts'
import { GeneratedBadge } from './generated-badge.tsx'
import { ShowInGraph } from './show-in-graph.tsx'

interface EntityHeadProps extends TabProps {
  /** Buttons of other capabilities. */
  readonly actions?: ReactNode
}

/** The header of an entity page: type, badges and actions. */
export function EntityHead({ entity, actions }: EntityHeadProps) {
  const { data, meta } = entity
  const type = typeOf(entity)
  return (
    <PageHead
      title={entityTitle(entity)}
      before={<EntityIcon type={type} size={28} isDecoration />}
      description={
        <Group component="span" gap="xs" mt={4}>
          <Text span inherit fw={500}>
            {entityTypeName(type)}
          </Text>
          <TlpBadge tlp={meta.tlp_color} />
          <ConfidenceBadge confidence={confidenceIn(data.confidence)} />
          <ReliabilityBadge reliability={meta.source_reliability} />
          {meta.is_withdrawn === true && <WithdrawnBadge />}
          <GeneratedBadge meta={meta} />
          <ConsolidationBadges entity={entity} />
          {meta.is_outdated_version === true && (
            <Badge variant="light" color="yellow" radius="xs">
              Outdated
            </Badge>
          )}
          <ContributesTo entity={entity} />
        </Group>
      }
      actions={
        <>
          {actions}
          {isUnified(entity) ? <UnifiedActions entity={entity} /> : <Actions entity={entity} />}
        </>
      }
    />
  )
}

/** The confidence level, which may also be a record. */
export const confidenceIn = (confidence: unknown): string | undefined => {
  if (typeof confidence === 'string') return confidence
  const value = typeof confidence === 'object' && confidence !== null && 'value' in confidence ? confidence.value : null
  return typeof value === 'string' ? value : undefined
}

function Actions({ entity: { id, ...entity } }: TabProps) {
  const may = useMay()
  const navigate = useNavigate()
  const [isDeleting, setIsDeleting] = useState(false)
  const mayChange = may('modify entities')
  const shortcuts = useMemo(
    () =>
      mayChange
        ? [
            {
              keys: 'e',
              label: 'Edit entity',
              run: () => void navigate({ to: '/entities/$id/edit', params: { id } }),
            },
          ]
        : [],
    [id, mayChange, navigate],
  )
  useShortcuts(shortcuts)
  return (
    <>
      <ShowInGraph id={id} />
      {mayChange && (
        <Button renderRoot={(props) => <Link to="/entities/$id/edit" params={{ id }} {...props} />}>Edit</Button>
      )}
      {mayChange && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label="More actions">
              ⋯
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item renderRoot={(props) => <Link to="/entities/new" search={{ from: id }} {...props} />}>
              Duplicate entity
            </Menu.Item>
            <Menu.Item color="red" onClick={() => setIsDeleting(true)}>
              Delete entity…
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <DeleteEntity entity={{ id, ...entity }} isOpen={isDeleting} onClose={() => setIsDeleting(false)} />
    </>
  )
}
