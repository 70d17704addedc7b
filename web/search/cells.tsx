import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { idOf } from '../api/lists.ts'
import { nameOf, useNames } from '../api/names.ts'
import { defangText } from '../domain/defang-text.ts'
import { entityTitle } from '../domain/entity-title.ts'
import { entityTypeName } from '../domain/entity-types.ts'
import { EntityIcon } from '../intelligence/entity-icon.tsx'
import { useTaxonomyPaths } from '../intelligence/taxonomies/taxonomy-paths.ts'
import {
  ConfidenceBadge,
  ContributorBadge,
  MaliciousnessBadge,
  ReliabilityBadge,
  TlpBadge,
  UnifiedBadge,
  WithdrawnBadge,
} from '../ui/badges.tsx'
import { Icon } from '../ui/icon.tsx'
import { Indicator } from '../ui/indicator.tsx'
import { Moment } from '../ui/moment.tsx'
import type { Searched } from './filters.ts'
import classes from './search.module.css'
import type { Row } from './search-queries.ts'

const count = (list: readonly unknown[] | undefined) => (
  <span className={classes.number}>{(list?.length ?? 0).toLocaleString('en')}</span>
)

const STAMPS: Readonly<Record<string, (row: Row) => ReactNode>> = {
  created_at: ({ created_at }) => <Moment at={created_at ?? null} />,
  last_updated_at: ({ last_updated_at }) => <Moment at={last_updated_at ?? null} />,
}

/** The cell content of each column. */
export const CELLS: Readonly<Record<Searched, Readonly<Record<string, (row: Row) => ReactNode>>>> = {
  entities: {
    title: ({ id, data, meta }) => (
      <span className={classes.title}>
        <EntityIcon type={data?.type ?? ''} />
        <Link className={classes.titleText} to={`/entities/${id}` as never} tabIndex={-1}>
          {entityTitle({ data, meta })}
        </Link>
        {meta?.is_withdrawn === true && <WithdrawnBadge />}
        {meta?.is_unified_entity === true && <UnifiedBadge />}
        {typeof meta?.is_contributor_to === 'string' && <ContributorBadge />}
      </span>
    ),
    type: ({ data }) => entityTypeName(data?.type ?? ''),
    tlp: ({ meta }) => <TlpBadge tlp={meta?.tlp_color} />,
    tags: ({ meta }) => <Tags tags={meta?.tags ?? []} />,
    sources: ({ sources = [] }) => <SourceNames urls={sources} />,
    taxonomies: ({ meta }) => <TaxonomyPaths urls={meta?.taxonomies ?? []} />,
    confidence: ({ data }) => <ConfidenceBadge confidence={confidenceOf(data?.confidence)} />,
    reliability: ({ meta }) => <ReliabilityBadge reliability={meta?.source_reliability} />,
    relevancy: ({ relevancy }) =>
      typeof relevancy === 'number' && <span className={classes.number}>{Math.round(relevancy * 100)}%</span>,
    observables: ({ observables }) => count(observables),
    threat_start: ({ meta }) => <Moment at={meta?.estimated_threat_start_time ?? null} />,
    ...STAMPS,
  },
  observables: {
    value: ({ id, type = '', value = '' }) => (
      <span className={classes.title}>
        <span className={classes.facetValue}>
          <Indicator type={type} value={value} canCopy={false} />
        </span>
        <Link className={classes.open} to={`/observables/${id}` as never} tabIndex={-1} aria-label="Open observable">
          <Icon name="expand" size={13} />
        </Link>
      </span>
    ),
    type: ({ type }) => type,
    maliciousness: ({ meta }) => <MaliciousnessBadge maliciousness={meta?.maliciousness} />,
    entities: ({ entities }) => count(entities),
    sources: ({ sources = [] }) => <SourceNames urls={sources} />,
    ...STAMPS,
  },
}

/** The confidence as a word; older types have a record instead. */
function confidenceOf(confidence: unknown): string | undefined {
  const value =
    typeof confidence === 'object' && confidence !== null ? (confidence as { value?: unknown }).value : confidence
  return typeof value === 'string' ? value : undefined
}

function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <span className={classes.tags} title={defangText(tags.join(', '))}>
      {tags.slice(0, 4).map((tag) => (
        <span key={tag} className={classes.tag}>
          {defangText(tag)}
        </span>
      ))}
      {tags.length > 4 && <span className={classes.tag}>+{tags.length - 4}</span>}
    </span>
  )
}

function SourceNames({ urls }: { readonly urls: readonly string[] }) {
  const names = useNames('sources')
  return urls.map((url) => nameOf(names, url)).join(', ')
}

function TaxonomyPaths({ urls }: { readonly urls: readonly string[] }) {
  const paths = useTaxonomyPaths()
  return <Tags tags={urls.map((url) => paths.get(idOf(String(url))) ?? `#${idOf(String(url))}`)} />
}
