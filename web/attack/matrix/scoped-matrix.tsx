import { Checkbox, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useUrlState } from '../../ui/use-url-state.ts'
import { DEFAULT_MATRIX } from '../matrices.ts'
import { MatrixSwitch } from '../matrix-select.tsx'
import { HeatBoard } from './heat-board.tsx'

interface ScopedMatrixProps {
  /** Whose matrix it is, in words. */
  readonly name: string
  /** The parameters of heat that name the entities. */
  readonly scope: Readonly<Record<string, string | number>>
  /** Whether related entities count, unless the user decides otherwise. */
  readonly hasRelations: boolean
  readonly children?: ReactNode
}

/** The matrix of one object, as a tab of its page. */
export function ScopedMatrix({ name, scope, hasRelations, children }: ScopedMatrixProps) {
  const url = useUrlState()
  const matrix = url.get('matrix') || DEFAULT_MATRIX
  const isRelated = (url.get('relations') || String(hasRelations)) === 'true'
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <MatrixSwitch
          value={matrix}
          onChange={(next) => url.set({ matrix: next === DEFAULT_MATRIX ? null : next, node: null }, true)}
        />
        <Checkbox
          size="sm"
          label="Include related entities"
          checked={isRelated}
          onChange={({ currentTarget: { checked } }) => url.set({ relations: String(checked) }, true)}
        />
        {children}
      </Group>
      <HeatBoard matrix={matrix} name={name} parameters={{ ...scope, matrix, ...(isRelated && { relations: true }) }} />
    </Stack>
  )
}
