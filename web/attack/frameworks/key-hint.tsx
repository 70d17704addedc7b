import { Kbd } from '@mantine/core'

/** The key of a button. */
export const KeyHint = ({ name }: { readonly name: string }) => (
  <Kbd size="xs" ml={8} aria-hidden visibleFrom="sm">
    {name}
  </Kbd>
)
