import { Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { defangText } from '../domain/defang-text.ts'
import { entityTypeName } from '../domain/entity-types.ts'
import { TlpBadge, UnifiedBadge } from '../ui/badges.tsx'
import { EntityIcon } from './entity-icon.tsx'

interface EntityLinkProps {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly tlp?: string | null | undefined
  readonly isUnified?: boolean | undefined
}

/** A list item that links to the page of an entity; addresses in the title are not links. */
export function EntityLink({ id, title, type, tlp, isUnified }: EntityLinkProps) {
  return (
    <Group gap="xs" wrap="nowrap" miw={0}>
      <EntityIcon type={type} isDecoration />
      <Anchor
        size="sm"
        style={{ overflowWrap: 'anywhere' }}
        renderRoot={(props) => <Link to="/entities/$id" params={{ id }} {...props} />}
      >
        {defangText(title)}
      </Anchor>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {entityTypeName(type)}
      </Text>
      <TlpBadge tlp={tlp} />
      {isUnified === true && <UnifiedBadge />}
    </Group>
  )
}
