import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { tlpName } from '../domain/tlp.ts'
import { useAiProvider } from './features.ts'
import { providerName } from './made.ts'
import { isAbove } from './strictest.ts'

interface WithinCeilingProps {
  readonly feature: string
  /** The colour of a text that is not saved, which the server cannot know. */
  readonly tlp: string
  readonly children: ReactNode
}

/** Offers a feature for a text only if its provider may receive it. */
export function WithinCeiling({ feature, tlp, children }: WithinCeilingProps) {
  const used = useAiProvider(feature)
  if (!used || !isAbove(tlp, used.ceiling)) return children
  const most = used.ceiling === 'NONE' ? 'nothing that has a TLP colour' : `at most TLP:${tlpName(used.ceiling)}`
  return (
    <Alert color="yellow" variant="light">
      {providerName(used.provider)} receives {most}, and this text is TLP:{tlpName(tlp)}.
    </Alert>
  )
}
