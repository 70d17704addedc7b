import { ActionIcon, AppShell, Center, Loader, Tooltip } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { lazy, type RefObject, Suspense, useEffect, useMemo, useRef } from 'react'
import type { PageContext } from '../ai/assistant/conversation.ts'
import type { Conversation } from '../ai/assistant/use-conversation.ts'
import { Icon } from '../ui/icon.tsx'
import { pageContext } from './page-context.ts'

/** The panel is loaded when it is opened for the first time: most pages are read without it. */
const Panel = lazy(async () => ({ default: (await import('../ai/assistant/assistant-panel.tsx')).AssistantPanel }))

export const ASSISTANT_KEYS = 'Ctrl+J'

interface AssistantButtonProps {
  readonly button: RefObject<HTMLButtonElement | null>
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** Opens and closes the assistant. */
export const AssistantButton = ({ button, isOpen, onToggle }: AssistantButtonProps) => (
  <Tooltip label={`Assistant (${ASSISTANT_KEYS})`}>
    <ActionIcon
      ref={button}
      variant={isOpen ? 'light' : 'subtle'}
      color={isOpen ? 'corvus' : 'gray'}
      size="lg"
      aria-label="Assistant"
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      <Icon name="spark" size={18} />
    </ActionIcon>
  </Tooltip>
)

interface AssistantAsideProps {
  readonly conversation: Conversation
  readonly onClose: () => void
}

/** The assistant next to every page. */
export function AssistantAside({ conversation, onClose }: AssistantAsideProps) {
  const context = usePageContext()
  useClosedByNavigation(onClose)
  return (
    <AppShell.Aside aria-label="Assistant">
      <Suspense
        fallback={
          <Center h="100%">
            <Loader aria-label="Loading" />
          </Center>
        }
      >
        <Panel conversation={conversation} context={context} onClose={onClose} />
      </Suspense>
    </AppShell.Aside>
  )
}

/** Where the assistant covers the page. */
const SMALL = '(max-width: 61.99em)'

/** On small screens, a source that was followed must not stay behind the assistant. */
function useClosedByNavigation(onClose: () => void): void {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const openedOn = useRef(path)
  useEffect(() => {
    if (path !== openedOn.current && window.matchMedia(SMALL).matches) onClose()
  }, [path, onClose])
}

/** What the current page shows. */
function usePageContext(): PageContext {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const search = useRouterState({ select: ({ location }) => location.search as Readonly<Record<string, unknown>> })
  return useMemo(() => pageContext(path, search), [path, search])
}
