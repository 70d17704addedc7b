import { useMemo } from 'react'
import { PageLink } from '../../ui/page-link.tsx'
import { counted } from '../analyses/analysis.ts'
import { matrixName } from '../matrices.ts'
import { columnsOf, type FaceOf } from './columns.ts'
import grid from './matrix-grid.module.css'
import type { MatrixTree } from './matrix-tree.ts'
import classes from './tiny-matrix.module.css'

interface TinyMatrixProps {
  readonly matrix: string
  readonly tree: MatrixTree
  readonly faceOf: FaceOf
}

const FOLDED = { search: '', platforms: [], isUsedOnly: false, order: 'matrix', isOpen: () => false } as const

/** A matrix too small for names: columns of coloured cells, with a text alternative, and a link to the whole one. */
export function TinyMatrix({ matrix, tree, faceOf }: TinyMatrixProps) {
  const columns = useMemo(() => columnsOf(tree, faceOf, FOLDED), [tree, faceOf])
  const used = columns.reduce((sum, column) => sum + column.used, 0)
  const label = `${matrixName(matrix)} matrix, ${counted(used, 'technique', 'techniques')} used`
  return (
    <div className={classes.frame}>
      <div className={`${grid.colours} ${classes.columns}`} role="img" aria-label={label}>
        {columns.map(({ tactic, cells }) => (
          <div key={tactic.id} className={classes.column} title={tactic.name}>
            {cells.map(({ place, face }) => (
              <span
                key={place.id}
                className={classes.cell}
                data-level={face.level}
                data-gap={face.gapLevel > 1 ? '' : undefined}
                title={`${place.externalId} ${place.name}, ${face.label}`}
              />
            ))}
          </div>
        ))}
      </div>
      <PageLink to="/attack" search={{ matrix }} size="xs">
        {label}
      </PageLink>
    </div>
  )
}
