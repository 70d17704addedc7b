import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/session.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import type { TabProps } from '../../intelligence/entity/entity.tsx'
import { isUnified } from '../../intelligence/entity/entity-queries.ts'
import { ScopedMatrix } from './scoped-matrix.tsx'

/** What an entity does, by itself and through what it is related to. */
export function EntityMatrix({ entity }: TabProps) {
  const { id } = entity
  const mayChange = useMay()('modify entities') && !isUnified(entity)
  return (
    <ScopedMatrix name={entityTitle(entity)} scope={{ entities: id }} hasRelations>
      {mayChange && (
        <Button
          renderRoot={(props) => (
            // Query parameters are not part of the route types.
            <Link {...props} {...({ to: '/attack', search: { classify: id } } as { to: string })} />
          )}
        >
          Classify
        </Button>
      )}
    </ScopedMatrix>
  )
}
