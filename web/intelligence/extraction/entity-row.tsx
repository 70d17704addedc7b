import { Badge, Group, Text } from '@mantine/core'
import { defangText } from '../../domain/defang-text.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { ConfidenceBadge } from '../../ui/badges.tsx'
import { Indicator } from '../../ui/indicator.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EntityIcon } from '../entity-icon.tsx'
import { contextOf, type ExtractedEntity, entityKey } from './extraction.ts'
import classes from './review.module.css'
import { type Deciding, ReviewRow } from './review-row.tsx'

interface EntityRowProps extends Deciding {
  readonly entity: ExtractedEntity
  readonly texts: Readonly<Record<string, string>>
}

/** An extracted entity: what it is, the words that prove it, and what belongs to it. */
export function EntityRow({ entity, texts, ...deciding }: EntityRowProps) {
  const { type, title, aliases, offsets, existing, confidence, attacks, observables } = entity
  const { before, quote, after } = contextOf(texts, offsets)
  return (
    <ReviewRow id={entityKey(entity)} name={`${entityTypeName(type)} ${title}`} {...deciding}>
      <Group gap="xs">
        <EntityIcon type={type} isDecoration />
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {defangText(title)}
        </Text>
        <Text size="xs" c="dimmed">
          {entityTypeName(type)}
        </Text>
        <ConfidenceBadge confidence={confidence} />
        {existing === null ? (
          <Badge size="sm" variant="light" color="gray" radius="xs">
            New
          </Badge>
        ) : (
          <Text size="xs">
            <PageLink to={`/entities/${existing}`}>Known entity</PageLink>
          </Text>
        )}
      </Group>
      {aliases.length > 0 && (
        <Text size="xs" c="dimmed">
          Also called <PlainText text={aliases.join(', ')} />
        </Text>
      )}
      <Text size="sm" mt={4} className={classes.quote}>
        <PlainText text={before} />
        <mark>
          <PlainText text={quote} />
        </mark>
        <PlainText text={after} />
      </Text>
      {attacks.length + observables.length > 0 && (
        <Group gap={6} mt={6}>
          {attacks.map(({ technique, name }) => (
            <Badge key={technique} size="sm" variant="default" radius="xs" tt="none">
              {technique} {name}
            </Badge>
          ))}
          {observables.map(({ type: kind, value }) => (
            <Text key={`${kind} ${value}`} size="xs" style={{ overflowWrap: 'anywhere' }}>
              <Indicator type={kind} value={value} canCopy={false} />
            </Text>
          ))}
        </Group>
      )}
    </ReviewRow>
  )
}
