/** The matrices of attack frameworks, with their display names. */
export const MATRICES = [
  { value: 'enterprise-attack', label: 'Enterprise' },
  { value: 'mobile-attack', label: 'Mobile' },
  { value: 'ics-attack', label: 'ICS' },
  { value: 'DISARM', label: 'DISARM' },
] as const

/** The matrix that most users work with. */
export const DEFAULT_MATRIX = 'enterprise-attack'

/** The display name of a matrix. */
export const matrixName = (matrix: string): string => MATRICES.find(({ value }) => value === matrix)?.label ?? matrix
