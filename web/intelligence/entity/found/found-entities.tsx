import { Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { entityTypeName } from '../../../domain/entity-types.ts'
import { PlainText } from '../../../ui/plain-text.tsx'
import { EntityIcon } from '../../entity-icon.tsx'
import type { RelatedEntity } from '../entity-draft.ts'
import { FoundList } from './found-list.tsx'
import type { TextAnalysis } from './text-analysis.ts'

interface FoundEntitiesProps {
  readonly found: TextAnalysis['entities']
  readonly onRelate: (entity: RelatedEntity) => void
}

/** How many are shown at first. */
const SHOWN = 8

/** Known entities that a text names. */
export function FoundEntities({ found, onRelate }: FoundEntitiesProps) {
  const [isOpen, setIsOpen] = useState(false)
  if (found.length === 0) return null
  return (
    <FoundList
      title="Known entities"
      count={found.length}
      more={isOpen || found.length <= SHOWN ? undefined : () => setIsOpen(true)}
    >
      {found.slice(0, isOpen ? undefined : SHOWN).map(({ id, type, title, mentions }) => (
        <Line key={id} entity={{ id, type, title }} after={`${entityTypeName(type)} · ${times(mentions.length)}`}>
          <Button
            size="compact-xs"
            flex="none"
            variant="default"
            aria-label={`Relate ${title}`}
            onClick={() => onRelate({ id, type, title })}
          >
            Relate
          </Button>
        </Line>
      ))}
    </FoundList>
  )
}

interface RelatedEntitiesProps {
  readonly related: readonly RelatedEntity[]
  readonly onRemove: (id: string) => void
}

/** Accepted entities, which are related when the form is saved. */
export function RelatedEntities({ related, onRemove }: RelatedEntitiesProps) {
  if (related.length === 0) return null
  return (
    <FoundList title="Related when you save" count={related.length}>
      {related.map((entity) => (
        <Line key={entity.id} entity={entity} after={entityTypeName(entity.type)}>
          <Button
            size="compact-xs"
            flex="none"
            variant="subtle"
            aria-label={`Do not relate ${entity.title}`}
            onClick={() => onRemove(entity.id)}
          >
            Remove
          </Button>
        </Line>
      ))}
    </FoundList>
  )
}

const times = (count: number): string => (count === 1 ? 'named once' : `named ${count} times`)

interface LineProps {
  readonly entity: RelatedEntity
  readonly after: string
  readonly children: ReactNode
}

const Line = ({ entity: { id, type, title }, after, children }: LineProps) => (
  <Group justify="space-between" wrap="nowrap">
    <Group gap="xs" wrap="nowrap" miw={0}>
      <EntityIcon type={type} isDecoration />
      <Text size="sm" lineClamp={1}>
        <Anchor inherit renderRoot={(props) => <Link to="/entities/$id" params={{ id }} target="_blank" {...props} />}>
          <PlainText text={title} />
        </Anchor>{' '}
        <Text span size="xs" c="dimmed">
          {after}
        </Text>
      </Text>
    </Group>
    {children}
  </Group>
)
