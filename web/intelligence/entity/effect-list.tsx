import { Badge, Group, Text, VisuallyHidden } from '@mantine/core'
import { useNames } from '../../api/names.ts'
import { defangText } from '../../domain/defang-text.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { TlpBadge } from '../../ui/badges.tsx'
import { useTaxonomyPaths } from '../taxonomies/taxonomy-paths.ts'
import { type Effect, effectInWords, named, ordered } from './rule-effects.ts'

/** Effects of rules as chips: added in green, removed in red, changed values with what was there before. */
export function EffectList({ effects }: { readonly effects: readonly Effect[] }) {
  const names = { taxonomies: useTaxonomyPaths(), datasets: useNames('datasets') }
  const shown = ordered(effects).map((effect) => named(effect, names))
  return (
    <Group gap={6} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {shown.map((effect) => (
        <li key={`${effect.kind} ${effect.value}`}>
          <VisuallyHidden>{effectInWords(effect)}</VisuallyHidden>
          <Group gap={4} aria-hidden="true">
            <EffectChip effect={effect} />
          </Group>
        </li>
      ))}
    </Group>
  )
}

function EffectChip({ effect: { kind, value, before } }: { readonly effect: Effect }) {
  const text = defangText(String(value ?? ''))
  switch (kind) {
    case 'tag_added':
      return <Chip sign="+" color="green" text={text} />
    case 'tag_removed':
      return <Chip sign="−" color="red" text={text} isGone />
    case 'taxonomy_added':
      return <Chip sign="+" color="green" text={text} what="Taxonomy" />
    case 'taxonomy_removed':
      return <Chip sign="−" color="red" text={text} what="Taxonomy" isGone />
    case 'dataset_added':
      return <Chip sign="+" color="green" text={text} what="Dataset" />
    case 'tlp':
      return <Step from={<Tlp colour={before} />} to={<Tlp colour={value} />} />
    case 'alias':
      return (
        <Step
          what="Alias"
          from={before ? <Old text={defangText(String(before))} /> : null}
          to={<Chip text={text} color="blue" />}
        />
      )
    case 'converted':
      return (
        <Step
          from={before ? <Old text={entityTypeName(String(before))} /> : null}
          to={<Chip text={entityTypeName(String(value))} color="blue" />}
        />
      )
    default:
      return <Chip text={`${String(kind).replaceAll('_', ' ')}: ${text}`} color="gray" />
  }
}

interface ChipProps {
  readonly text: string
  readonly color: string
  readonly sign?: string
  /** What kind of thing it is, if it is not a tag. */
  readonly what?: string
  readonly isGone?: boolean
}

const Chip = ({ text, color, sign, what, isGone }: ChipProps) => (
  <Badge variant="light" radius="xs" color={color} maw="min(100%, 320px)">
    {sign && `${sign} `}
    {what && `${what}: `}
    {isGone ? <s>{text}</s> : text}
  </Badge>
)

const Old = ({ text }: { readonly text: string }) => (
  <Text size="xs" c="dimmed" td="line-through" maw={240} truncate="end">
    {text}
  </Text>
)

const Tlp = ({ colour }: { readonly colour: Effect['value'] | undefined }) =>
  colour && colour !== 'NONE' ? (
    <TlpBadge tlp={String(colour)} />
  ) : (
    <Text size="xs" c="dimmed">
      No TLP
    </Text>
  )

interface StepProps {
  readonly what?: string
  readonly from: React.ReactNode
  readonly to: React.ReactNode
}

const Step = ({ what, from, to }: StepProps) => (
  <>
    {what && (
      <Text size="xs" c="dimmed">
        {what}
      </Text>
    )}
    {from}
    {from && (
      <Text size="xs" c="dimmed">
        →
      </Text>
    )}
    {to}
  </>
)
