import { Group, MultiSelect, Pill } from '@mantine/core'
import { idOf } from '../../api/lists.ts'
import type { Entity } from '../../api/resources.ts'
import { defangText } from '../../domain/defang-text.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { EntityPicker } from '../entity-picker.tsx'
import { MAX_COMPARED } from './comparison.ts'
import type { Contributor } from './contributions.ts'

interface ColumnPickerProps {
  /** The contributors to choose from; undefined for any entities. */
  readonly own: readonly Contributor[] | undefined
  readonly chosen: readonly string[]
  readonly shown: readonly Entity[]
  /** The id of the first column, which stays. */
  readonly base: string
  readonly onChange: (ids: readonly string[]) => void
}

/** Chooses the entities that are compared. */
export function ColumnPicker({ own, chosen, shown, base, onChange }: ColumnPickerProps) {
  if (own)
    return (
      <MultiSelect
        label={`Contributors (up to ${MAX_COMPARED})`}
        data={own.map(({ entity, title, source_name }) => ({
          value: idOf(entity),
          label: `${source_name}: ${defangText(title)}`,
        }))}
        value={[...chosen]}
        maxValues={MAX_COMPARED}
        onChange={onChange}
        openOnFocus={false}
        searchable={own.length > 8}
        style={{ flex: '1 1 320px' }}
        maw={720}
      />
    )
  return (
    <Group gap="xs">
      {shown
        .filter(({ id }) => id !== base)
        .map((entity) => (
          <Pill
            key={entity.id}
            withRemoveButton
            onRemove={() => onChange(chosen.filter((id) => id !== entity.id))}
            removeButtonProps={{ 'aria-label': `Remove ${entityTitle(entity)}` }}
          >
            {entityTitle(entity)}
          </Pill>
        ))}
      {chosen.length < MAX_COMPARED - 1 && (
        <EntityPicker label="Add entity" chosen={[base, ...chosen]} onPick={({ id }) => onChange([...chosen, id])} />
      )}
    </Group>
  )
}
