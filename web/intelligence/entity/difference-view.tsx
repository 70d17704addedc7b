import { Stack, Text, VisuallyHidden } from '@mantine/core'
import { defangText } from '../../domain/defang-text.ts'
import { fieldLabel } from '../../forms/labels.ts'
import { pathText } from '../../forms/paths.ts'
import classes from './difference-view.module.css'
import type { Difference } from './differences.ts'
import { type Piece, wordDifferences } from './word-differences.ts'

/** The changes of a version, field by field: before on the left, after on the right. */
export function DifferenceView({ differences }: { readonly differences: readonly Difference[] }) {
  if (differences.length === 0)
    return (
      <Text c="dimmed" size="sm">
        No fields changed, only observables, attachments or datasets.
      </Text>
    )
  return (
    <Stack gap="sm">
      {differences.map((difference) => (
        <FieldDifference key={difference.path} difference={difference} />
      ))}
    </Stack>
  )
}

function FieldDifference({ difference: { path, before, after } }: { readonly difference: Difference }) {
  const pieces = wordDifferences(textOf(before), textOf(after))
  return (
    <section aria-label={fieldLabel(path)}>
      <Text size="sm" fw={500} mb={2}>
        {fieldLabel(path)}
      </Text>
      <div className={classes.pair}>
        <Side label="Before" pieces={pieces} kind="removed" />
        <Side label="After" pieces={pieces} kind="added" />
      </div>
    </section>
  )
}

interface SideProps {
  readonly label: string
  readonly pieces: readonly Piece[]
  readonly kind: 'removed' | 'added'
}

function Side({ label, pieces, kind }: SideProps) {
  const own = pieces.filter((piece) => piece.kind === 'same' || piece.kind === kind)
  const Changed = kind === 'removed' ? 'del' : 'ins'
  return (
    <div className={classes.side}>
      <VisuallyHidden>{label}: </VisuallyHidden>
      {own.length === 0 && (
        <Text span inherit c="dimmed">
          empty
        </Text>
      )}
      {own.map((piece, i) =>
        piece.kind === 'same' ? (
          <span key={pathText([i])}>{defangText(piece.text)}</span>
        ) : (
          <Changed key={pathText([i])} className={classes[kind]}>
            {defangText(piece.text)}
          </Changed>
        ),
      )}
    </div>
  )
}

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n')
  return JSON.stringify(value, null, 2)
}
