import { SegmentedControl, Select } from '@mantine/core'
import { MATRICES } from './matrices.ts'

interface MatrixFilterProps {
  /** The chosen matrix; empty for all of them. */
  readonly value: string
  readonly onChange: (matrix: string) => void
}

/** Narrows a list to one matrix. */
export const MatrixFilter = ({ value, onChange }: MatrixFilterProps) => (
  <Select
    aria-label="Matrix"
    placeholder="All matrices"
    data={[...MATRICES]}
    value={value || null}
    onChange={(matrix) => onChange(matrix ?? '')}
    clearable
    clearButtonProps={{ 'aria-label': 'Clear matrix' }}
    w={160}
  />
)

/** Selects the matrix that a page shows. */
export const MatrixSwitch = ({ value, onChange }: MatrixFilterProps) => (
  <SegmentedControl aria-label="Matrix" data={[...MATRICES]} value={value} onChange={onChange} />
)
