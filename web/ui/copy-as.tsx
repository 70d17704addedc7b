import { Button, CopyButton } from '@mantine/core'

/** A button that copies a text to the clipboard and confirms it. */
export const CopyAs = ({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <Button size="compact-sm" variant="default" onClick={copy}>
        {copied ? 'Copied' : label}
      </Button>
    )}
  </CopyButton>
)
