import { Anchor, Badge, Grid, Group, Paper, Progress, Spoiler, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { idOf } from '../../api/lists.ts'
import { labelOf } from '../../forms/labels.ts'
import { Moment } from '../../ui/moment.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { type OriginMarks, useOriginMarks } from '../contributors/origin-mark.tsx'
import { ReferenceName } from '../reference-name.tsx'
import type { TabProps } from './entity.tsx'
import { type Labelled, LabelledValues, labelledFields } from './field-values.tsx'
import { ObjectReferences } from './object-references.tsx'
import { isReferenceField } from './reference-queries.ts'

/** Fields that are shown elsewhere on the page. */
const ELSEWHERE = [
  'type',
  'custom_entity_type',
  'title',
  'description',
  'short_description',
  'description_structuring_format',
]

/** Technical fields that describe the record rather than the threat. */
const TECHNICAL = [
  'id',
  'spec_version',
  'created',
  'modified',
  'created_by_ref',
  'lang',
  'revoked',
  'timestamp',
  'object_marking_refs',
  'granular_markings',
  'extensions',
]

/** Labels of reference fields whose names are not self-explanatory. */
const LABELS: Readonly<Record<string, string>> = {
  object_refs: 'Contents',
  created_by_ref: 'Author',
  object_marking_refs: 'Markings',
}

/** Of the page without navigation and assistant, so that the facts move below the description before they are cut off. */
const WIDTHS = { xs: '20em', sm: '30em', md: '54em', lg: '75em', xl: '88em' }

/** The overview of an entity: its data and metadata. */
export function OverviewTab({ entity }: TabProps) {
  const { data } = entity
  const markOf = useOriginMarks(entity)
  const fields = Object.entries(data).filter(([name]) => !ELSEWHERE.includes(name))
  const labelled = (isMeant: (name: string) => boolean): readonly Labelled[] =>
    fields
      .filter(([name]) => isMeant(name))
      .flatMap(([name, value]): Labelled | readonly Labelled[] =>
        isReferenceField(name) && [value].flat().length > 0
          ? { label: LABELS[name] ?? labelOf(name), value: <ObjectReferences entity={entity.id} field={name} /> }
          : labelledFields([[name, value]]).map((each) => ({ ...each, mark: markOf(`data.${name}`) })),
      )
  const own = labelled((name) => !TECHNICAL.includes(name))
  const technical = labelled((name) => TECHNICAL.includes(name))
  return (
    <Grid gap="lg" type="container" breakpoints={WIDTHS}>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack gap="lg">
          {data.short_description && (
            <Text>
              <PlainText text={data.short_description} />
            </Text>
          )}
          {data.description && (
            <Section title="Description" mark={markOf('data.description')}>
              <Spoiler maxHeight={180} showLabel="Show all" hideLabel="Show less">
                <RichText text={data.description} format={data.description_structuring_format} />
              </Spoiler>
            </Section>
          )}
          {own.length > 0 && (
            <Section title="Details">
              <LabelledValues values={own} />
            </Section>
          )}
          <Section title="Record">
            <LabelledValues values={technical} />
          </Section>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Paper withBorder p="md">
          <About entity={entity} markOf={markOf} />
        </Paper>
      </Grid.Col>
    </Grid>
  )
}

interface SectionProps {
  readonly title: string
  readonly mark?: ReactNode
  readonly children: ReactNode
}

const Section = ({ title, mark, children }: SectionProps) => (
  <section>
    <Group gap={2} mb="xs">
      <Title order={2} size="h5">
        {title}
      </Title>
      {mark}
    </Group>
    {children}
  </section>
)

function About({ entity, markOf }: TabProps & { readonly markOf: OriginMarks }) {
  const { meta, sources, datasets, created_by, incoming_feed, outgoing_feeds } = entity
  const [source] = sources
  const time = (at: unknown) => <Moment at={typeof at === 'string' ? at : null} />
  const values: readonly (Labelled | false)[] = [
    { label: 'Tags', mark: markOf('meta.tags'), value: <Words words={meta.tags ?? []} /> },
    {
      label: 'Taxonomies',
      mark: markOf('meta.taxonomies'),
      value: <References urls={meta.taxonomies ?? []} collection="taxonomies" field="path" />,
    },
    (meta.attacks?.length ?? 0) > 0 && {
      label: 'ATT&CK',
      mark: markOf('meta.attacks'),
      value: <Words words={(meta.attacks ?? []).map((each) => idOf(String(each)))} />,
    },
    typeof meta.alias === 'string' && meta.alias !== '' && { label: 'Alias', value: <PlainText text={meta.alias} /> },
    {
      label: 'Source',
      value: source ? <ReferenceName collection="sources" url={source} permission="read sources" /> : '–',
    },
    { label: 'Relevancy', value: <Relevancy value={entity.relevancy} /> },
    {
      label: 'Half-life',
      mark: markOf('meta.half_life'),
      value: meta.half_life ? `${meta.half_life.toLocaleString('en')} days` : '–',
    },
    { label: 'Threat start', value: time(meta.estimated_threat_start_time) },
    { label: 'Threat end', value: time(meta.estimated_threat_end_time) },
    { label: 'Observed', value: time(meta.estimated_observed_time) },
    { label: 'Datasets', value: <Datasets urls={datasets} /> },
    incoming_feed !== null && {
      label: 'Incoming feed',
      value: <ReferenceName collection="incoming-feeds" url={incoming_feed} permission="read incoming-feeds" />,
    },
    outgoing_feeds.length > 0 && {
      label: 'Outgoing feeds',
      value: <References urls={outgoing_feeds} collection="outgoing-feeds" field="name" />,
    },
    { label: 'Created', value: time(entity.created_at) },
    created_by !== null && {
      label: 'Created by',
      value: <ReferenceName collection="users" url={created_by} permission="read users" field="username" />,
    },
    { label: 'Last updated', value: time(entity.last_updated_at) },
  ]
  return <LabelledValues values={values.filter((each) => each !== false)} />
}

function Words({ words }: { readonly words: readonly string[] }) {
  if (words.length === 0) return '–'
  return (
    <Group gap={4}>
      {words.map((word) => (
        <Badge key={word} variant="light" radius="xs" tt="none" fw={500} maw="100%">
          <PlainText text={word} />
        </Badge>
      ))}
    </Group>
  )
}

interface ReferencesProps {
  readonly urls: readonly (string | number)[]
  readonly collection: string
  readonly field: string
}

function References({ urls, collection, field }: ReferencesProps) {
  if (urls.length === 0) return '–'
  return urls.map((url) => (
    <div key={String(url)}>
      <ReferenceName collection={collection} url={String(url)} permission={`read ${collection}`} field={field} />
    </div>
  ))
}

function Datasets({ urls }: { readonly urls: readonly string[] }) {
  if (urls.length === 0) return '–'
  return urls.map((url) => (
    <div key={url}>
      <Anchor inherit renderRoot={(props) => <Link to="/datasets/$id" params={{ id: idOf(url) }} {...props} />}>
        <ReferenceName collection="datasets" url={url} permission="read intel-sets" />
      </Anchor>
    </div>
  ))
}

function Relevancy({ value }: { readonly value: number | null }) {
  if (value === null) return '–'
  const percent = Math.round(value * 100)
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress value={percent} flex={1} size="sm" aria-label="Relevancy" />
      <span>{percent}%</span>
    </Group>
  )
}
