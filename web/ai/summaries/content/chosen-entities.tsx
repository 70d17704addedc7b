import { CloseButton, Group, Input, Loader, Stack, Text } from '@mantine/core'
import { entityTitle } from '../../../domain/entity-title.ts'
import { EntityPicker } from '../../../intelligence/entity-picker.tsx'
import { EntityName, type NamedEntity } from '../../../intelligence/named-entity.tsx'
import { TlpBadge } from '../../../ui/badges.tsx'
import { MAX_ENTITIES } from '../text-menu.tsx'

interface ChosenEntitiesProps {
  readonly ids: readonly string[]
  /** Those that the user can see; undefined until they are read. */
  readonly entities: ReadonlyMap<string, NamedEntity> | undefined
  readonly onChange: (ids: readonly string[]) => void
}

/** The entities that a text is about. */
export function ChosenEntities({ ids, entities, onChange }: ChosenEntitiesProps) {
  const known = ids.flatMap((id) => entities?.get(id) ?? [])
  const missing = entities ? ids.length - known.length : 0
  return (
    <Stack gap={6} component="section" aria-label="Entities">
      <Input.Label component="div">
        Entities ({known.length} of at most {MAX_ENTITIES})
      </Input.Label>
      {ids.length > 0 && !entities && <Loader size="xs" />}
      {known.map((entity) => (
        <Group key={entity.id} gap="xs" wrap="nowrap" justify="space-between">
          <EntityName entity={entity} />
          <Group gap={4} wrap="nowrap" flex="none">
            <TlpBadge tlp={entity.meta.tlp_color} />
            <CloseButton
              size="sm"
              aria-label={`Remove ${entityTitle(entity)}`}
              onClick={() => onChange(ids.filter((id) => id !== entity.id))}
            />
          </Group>
        </Group>
      ))}
      {missing > 0 && (
        <Text size="xs" c="dimmed">
          {missing === 1 ? 'One entity was' : `${missing} entities were`} not found and left out.
        </Text>
      )}
      {known.length < MAX_ENTITIES && (
        <EntityPicker
          label="Add entity"
          chosen={ids}
          onPick={({ id }) => onChange([...known.map((each) => each.id), id])}
        />
      )}
    </Stack>
  )
}
