import { Button, Center } from '@mantine/core'
import { type ReactNode, useState } from 'react'

/** How many rows are shown at first unless the list says otherwise, and added by each click. */
const STEP = 100

/**
 * The first rows of a long list, and a button for more of them: drawing thousands of rows takes seconds. Give the component that calls it another
 * `key` when the list is filtered, so that it starts from the top. `first` is how many are shown at first.
 */
export function useFirstRows<T>(
  rows: readonly T[],
  first = STEP,
): { readonly shown: readonly T[]; readonly more: ReactNode } {
  const [count, setCount] = useState(first)
  const left = rows.length - count
  return {
    shown: rows.slice(0, count),
    more:
      left > 0 ? (
        <Center>
          <Button variant="subtle" size="compact-sm" onClick={() => setCount(count + STEP)}>
            Show {Math.min(left, STEP)} more of {left.toLocaleString('en')}
          </Button>
        </Center>
      ) : null,
  }
}
