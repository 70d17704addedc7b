import { Button, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import type { TabProps } from './entity.tsx'
import { isUnified } from './entity-queries.ts'
import { FoundInEntity } from './found/found-in-entity.tsx'

/** The description of an entity. */
export function DescriptionTab({ entity }: TabProps) {
  const may = useMay()
  const { id, data } = entity
  if (data.description)
    return (
      <Stack gap="lg">
        <RichText text={data.description} format={data.description_structuring_format} />
        <FoundInEntity key={id} entity={entity} />
      </Stack>
    )
  return (
    <EmptyState
      title="No description"
      action={
        may('modify entities') &&
        !isUnified(entity) && (
          <Button renderRoot={(props) => <Link to="/entities/$id/edit" params={{ id }} {...props} />}>
            Add description
          </Button>
        )
      }
    >
      Describe what this entity is and why it matters.
    </EmptyState>
  )
}
