import { ActionIcon, Group, Input, Skeleton, Stack, Text } from '@mantine/core'
import { unknownName } from '../../api/unknown-name.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { EntityIcon } from '../../intelligence/entity-icon.tsx'
import { EntityPicker } from '../../intelligence/entity-picker.tsx'
import { useNamedEntities } from '../../intelligence/use-named-entities.ts'
import { Icon } from '../../ui/icon.tsx'

interface EntitiesFieldProps {
  readonly ids: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
  readonly error: string | undefined
}

/** Selects entities by searching their titles. */
export function EntitiesField({ ids, onChange, error }: EntitiesFieldProps) {
  const entities = useNamedEntities(ids)
  return (
    <Input.Wrapper label="Entities" error={error} labelElement="div" role="group" aria-label="Entities">
      <Stack gap={6} mt={4}>
        {ids.map((id) => {
          const entity = entities?.get(id)
          const title = entity ? entityTitle(entity) : unknownName(`entities/${id}`)
          return (
            <Group key={id} gap={6} wrap="nowrap">
              {entity && <EntityIcon type={entity.data.type} />}
              {entities ? (
                <Text size="sm" flex={1} truncate="end">
                  {title}
                </Text>
              ) : (
                <Skeleton h={14} flex={1} />
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={`Remove ${title}`}
                onClick={() => onChange(ids.filter((each) => each !== id))}
              >
                <Icon name="close" size={12} />
              </ActionIcon>
            </Group>
          )
        })}
        <EntityPicker label="Search by title" chosen={ids} onPick={(entity) => onChange([...ids, entity.id])} />
      </Stack>
    </Input.Wrapper>
  )
}
