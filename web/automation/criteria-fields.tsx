import { MultiSelect, SimpleGrid } from '@mantine/core'
import { ENTITY_TYPES, entityTypeName } from '../domain/entity-types.ts'
import { TLP_OPTIONS } from '../domain/tlp.ts'
import { NamesSelect } from '../ui/name-select.tsx'

interface Scope {
  readonly entityTypes: readonly string[]
  readonly sources: readonly string[]
  readonly tlps?: readonly string[]
}

interface ScopeFieldsProps {
  readonly values: Scope
  readonly set: (change: Partial<Scope>) => void
  readonly faults: Readonly<Record<string, string>>
}

const TLPS = [...TLP_OPTIONS, { value: 'NONE', label: 'No TLP' }]

/** Which entities a rule considers: types, sources and, if it has them, TLP colours. */
export function ScopeFields({ values: { entityTypes, sources, tlps }, set, faults }: ScopeFieldsProps) {
  const types = [...new Set([...Object.keys(ENTITY_TYPES), ...entityTypes])]
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <MultiSelect
        label="Entity types"
        placeholder={entityTypes.length === 0 ? 'All types' : ''}
        data={types.map((value) => ({ value, label: entityTypeName(value) }))}
        value={[...entityTypes]}
        error={faults.entity_types}
        onChange={(chosen) => set({ entityTypes: chosen })}
        searchable
        clearable
        hidePickedOptions
        clearButtonProps={{ 'aria-label': 'Clear entity types' }}
      />
      <NamesSelect
        of="sources"
        label="Sources"
        placeholder={sources.length === 0 ? 'All sources' : ''}
        value={sources}
        error={faults.sources}
        onChange={(chosen) => set({ sources: chosen })}
      />
      {tlps && (
        <MultiSelect
          label="TLP"
          placeholder={tlps.length === 0 ? 'All colours' : ''}
          data={TLPS}
          value={[...tlps]}
          error={faults.tlps}
          onChange={(chosen) => set({ tlps: chosen })}
          clearable
          hidePickedOptions
          clearButtonProps={{ 'aria-label': 'Clear TLP' }}
        />
      )}
    </SimpleGrid>
  )
}
