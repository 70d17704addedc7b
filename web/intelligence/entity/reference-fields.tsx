import { MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { idOf, listQuery } from '../../api/lists.ts'
import type { Source, Taxonomy } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'

/** The largest page of the API. */
const MAX_PAGE_SIZE = 2_000

interface TaxonomyFieldProps {
  /** URLs or ids. */
  readonly value: readonly (string | number)[]
  readonly onChange: (value: readonly (string | number)[]) => void
  readonly error?: string | undefined
}

/** Taxonomy nodes, selected by path. */
export function TaxonomyField({ value, onChange, error }: TaxonomyFieldProps) {
  const may = useMay()
  const nodes = useQuery({
    ...listQuery<Taxonomy>('taxonomies', { limit: MAX_PAGE_SIZE, attributes: 'id,path' }),
    enabled: may('read taxonomies'),
  })
  const known = new Map(value.map((each) => [idOf(String(each)), each]))
  const data = (nodes.data?.data ?? [])
    .map(({ id, path }) => ({ value: String(id), label: path.join(' / ') }))
    .sort((a, b) => a.label.localeCompare(b.label))
  const missing = [...known.keys()].filter((id) => !data.some((node) => node.value === id))
  return (
    <MultiSelect
      openOnFocus={false}
      label="Taxonomies"
      data={[...data, ...missing.map((id) => ({ value: id, label: `Node ${id}` }))]}
      value={[...known.keys()]}
      // Existing references keep their form, so that only changes are sent.
      onChange={(ids) => onChange(ids.map((id) => known.get(id) ?? Number(id)))}
      searchable
      clearable
      nothingFoundMessage="No matching nodes. Create taxonomies under Administration."
      error={error}
    />
  )
}

interface SourceFieldProps {
  /** An id; empty to let the server choose. */
  readonly value: string
  readonly onChange: (id: string) => void
  readonly error?: string | undefined
}

/** The source of an entity, which determines who can see it. */
export function SourceField({ value, onChange, error }: SourceFieldProps) {
  const may = useMay()
  const sources = useQuery({
    ...listQuery<Source>('sources', { limit: MAX_PAGE_SIZE, attributes: 'id,name,type' }),
    enabled: may('read sources'),
  })
  const all = sources.data?.data ?? []
  const data = all
    .filter(({ id, type }) => type === 'group' || id === value)
    .map(({ id, name }) => ({ value: id, label: name }))
  if (!may('read sources')) return null
  return (
    <Select
      openOnFocus={false}
      label="Source"
      placeholder="Your first group"
      data={data}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      searchable={data.length > 8}
      error={error}
    />
  )
}
