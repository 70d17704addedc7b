import { Anchor, Badge, Group, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CSSProperties, ReactNode } from 'react'
import type { Entity } from '../../api/resources.ts'
import { defangText } from '../../domain/defang-text.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { contributionsQuery } from '../../intelligence/contributors/contributions.ts'
import { confidenceIn } from '../../intelligence/entity/entity-head.tsx'
import { EntityIcon } from '../../intelligence/entity-icon.tsx'
import { ReferenceName } from '../../intelligence/reference-name.tsx'
import { useNamedEntities } from '../../intelligence/use-named-entities.ts'
import { ConfidenceBadge, ReliabilityBadge, TlpBadge, WithdrawnBadge } from '../../ui/badges.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { normalised, otherNames, titleOf } from './names.ts'
import classes from './review.module.css'

interface PairViewProps {
  readonly first: Entity
  readonly second: Entity
  /** Normalised names to highlight. */
  readonly shared: ReadonlySet<string>
}

/** Two entities side by side, with their facts in the same rows. */
export const PairView = ({ first, second, shared }: PairViewProps) => (
  <div className={classes.pair}>
    <Side entity={first} shared={shared} label="First entity" />
    <Side entity={second} shared={shared} label="Second entity" />
  </div>
)

interface SideProps {
  readonly entity: Entity
  readonly shared: ReadonlySet<string>
  readonly label: string
}

function Side({ entity, shared, label }: SideProps) {
  const { data, meta, sources } = entity
  const [source] = sources
  const names = otherNames(entity)
  const description = data.description || data.short_description
  const contributesTo = typeof meta.is_contributor_to === 'string' ? meta.is_contributor_to : undefined
  const rows: readonly (readonly Fact[])[] = [
    [
      ['Source', source ? <ReferenceName key="s" collection="sources" url={source} permission="read sources" /> : '–'],
      ['Observables', entity.observables.length.toLocaleString('en')],
    ],
    [['Names', names.length === 0 ? 'No other names' : <Names key="n" names={names} shared={shared} />]],
    [
      [
        'Description',
        <Description key="d" text={description} format={data.description_structuring_format} label={label} />,
      ],
    ],
    [
      ['Threat start', <Moment key="t" at={timeOf(meta.estimated_threat_start_time)} />],
      ['Created', <Moment key="c" at={entity.created_at} />],
      ['Last updated', <Moment key="u" at={entity.last_updated_at} />],
    ],
    [['Contributes to', contributesTo ? <UnifiedName key="u" entity={entity.id} /> : 'No unified entity yet']],
  ]
  return (
    <section className={classes.side} style={{ '--rows': rows.length + 1 } as CSSProperties} aria-label={label}>
      <div className={classes.head}>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <EntityIcon type={data.type} size={24} isDecoration />
          <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
            <Name name={titleOf(entity)} shared={shared} />
          </Title>
        </Group>
        <Group gap={6} mt={6}>
          <Text size="sm">{entityTypeName(data.type)}</Text>
          <TlpBadge tlp={meta.tlp_color} />
          <ConfidenceBadge confidence={confidenceIn(data.confidence)} />
          <ReliabilityBadge reliability={meta.source_reliability} />
          {meta.is_withdrawn === true && <WithdrawnBadge />}
          <Anchor
            size="sm"
            ml="auto"
            renderRoot={(props) => <Link to="/entities/$id" params={{ id: entity.id }} target="_blank" {...props} />}
            aria-label={`Open ${entityTitle(entity)} in a new tab`}
          >
            Open ↗
          </Anchor>
        </Group>
      </div>
      {rows.map((facts) => (
        <div key={facts[0]?.[0]} className={classes.row}>
          {facts.map(([name, value]) => (
            <div key={name} className={classes.fact}>
              <Text size="xs" c="dimmed">
                {name}
              </Text>
              <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </div>
          ))}
        </div>
      ))}
    </section>
  )
}

type Fact = readonly [label: string, value: ReactNode]

const Names = ({ names, shared }: { readonly names: readonly string[] } & Pick<SideProps, 'shared'>) => (
  <Group gap={4}>
    {names.map((name) => (
      <Badge key={name} variant="default" radius="xs" fw={500} maw="100%" h="auto" style={{ whiteSpace: 'normal' }}>
        <Name name={name} shared={shared} />
      </Badge>
    ))}
  </Group>
)

/** A name, marked if both entities have it. */
function Name({ name, shared }: { readonly name: string; readonly shared: ReadonlySet<string> }) {
  const text = defangText(name)
  return shared.has(normalised(name)) ? <mark className={classes.shared}>{text}</mark> : text
}

interface DescriptionProps {
  readonly text: string | undefined
  readonly format: string | undefined
  readonly label: string
}

function Description({ text, format, label }: DescriptionProps) {
  if (!text) return 'No description'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable with the keyboard
    <section className={classes.description} aria-label={`Description: ${label.toLowerCase()}`} tabIndex={0}>
      <RichText text={text} format={format} />
    </section>
  )
}

const timeOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The unified entity to which an entity contributes. */
function UnifiedName({ entity }: { readonly entity: string }) {
  const { data, isPending } = useQuery(contributionsQuery(entity))
  const named = useNamedEntities(data?.unified ? [data.unified] : [])
  if (isPending || !named) return <Skeleton h={14} w={160} />
  const [unified] = named.values()
  if (!unified) return 'A unified entity'
  const others = (data?.contributors.length ?? 1) - 1
  return (
    <>
      <Anchor
        inherit
        renderRoot={(props) => <Link to="/entities/$id" params={{ id: unified.id }} target="_blank" {...props} />}
      >
        {entityTitle(unified)} ↗
      </Anchor>{' '}
      <Text span inherit c="dimmed">
        with {others.toLocaleString('en')} {others === 1 ? 'other entity' : 'other entities'}
      </Text>
    </>
  )
}
