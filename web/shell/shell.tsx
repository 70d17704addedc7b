import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  Menu,
  ScrollArea,
  Text,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { spotlight } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { useConversation } from '../ai/assistant/use-conversation.ts'
import { useAiFeature } from '../ai/features.ts'
import { selfQuery } from '../api/self.ts'
import { RemoveDemoData } from '../demo/remove-demo-data.tsx'
import { setLocalZone } from '../ui/clock.ts'
import { Icon } from '../ui/icon.tsx'
import { inSentence } from '../ui/in-sentence.ts'
import { Logo } from '../ui/logo.tsx'
import { rememberPage, titleAt } from '../ui/recent.ts'
import { listenForShortcuts, useShortcuts } from '../ui/shortcuts.ts'
import { ASSISTANT_KEYS, AssistantAside, AssistantButton } from './assistant.tsx'
import { Bell } from './bell.tsx'
import { Navigation } from './navigation.tsx'
import { OfflineNote } from './offline-note.tsx'
import { PAGES } from './pages.ts'
import { Palette } from './palette.tsx'
import { focusSearchBox } from './search-box.ts'
import { ShortcutHelp } from './shortcut-help.tsx'

/** The frame around every page: header, navigation and account menu. */
export function Shell({ user, onSignOut }: { readonly user: string; readonly onSignOut: () => void }) {
  const [isOpen, { toggle, close }] = useDisclosure()
  const [isHelpOpen, help] = useDisclosure()
  const [isRemovalOpen, removal] = useDisclosure()
  const { data: self } = useQuery(selfQuery)
  useEffect(listenForShortcuts, [])
  useEffect(() => self && setLocalZone(self.timezone), [self])
  const assistant = useAssistant()
  useGlobalShortcuts(help.open)
  useRecentPages(user)
  return (
    <AppShell
      header={{ height: 50 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      {...(assistant.isOpen && { aside: { width: { base: 360, xl: 460 }, breakpoint: 'md' } })}
      padding="lg"
    >
      <a className="skip-link" href="#main">
        Skip to main content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Link to="/" className="home-link" aria-label="Corvus home">
              <Logo />
            </Link>
          </Group>
          <PaletteButton />
          <Group gap={4} wrap="nowrap">
            <Tooltip label="Keyboard shortcuts (?)">
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label="Keyboard shortcuts"
                onClick={help.open}
                visibleFrom="sm"
              >
                <Icon name="keyboard" size={18} />
              </ActionIcon>
            </Tooltip>
            {assistant.isAvailable && (
              <AssistantButton button={assistant.button} isOpen={assistant.isOpen} onToggle={assistant.toggle} />
            )}
            <Bell />
            <AccountMenu name={self?.username ?? '…'} onSignOut={onSignOut} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <ScrollArea>
          <Navigation onNavigate={close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <OfflineNote />
        <Outlet />
      </AppShell.Main>
      {assistant.isOpen && <AssistantAside conversation={assistant.conversation} onClose={assistant.close} />}
      <Palette user={user} run={{ help: help.open, 'remove-demo': removal.open, 'sign-out': onSignOut }} />
      <RemoveDemoData isOpen={isRemovalOpen} onClose={removal.close} />
      <ShortcutHelp isOpen={isHelpOpen} onClose={help.close} />
    </AppShell>
  )
}

/** The assistant, if the user can use it. Its conversation is kept while it is closed. */
function useAssistant() {
  const isAvailable = useAiFeature('ai_assistant')
  const [isWanted, { toggle, close }] = useDisclosure()
  const conversation = useConversation()
  const button = useRef<HTMLButtonElement>(null)
  const shortcuts = useMemo(
    () => (isAvailable ? [{ keys: ASSISTANT_KEYS, label: 'Open or close the assistant', run: toggle }] : []),
    [isAvailable, toggle],
  )
  useShortcuts(shortcuts)
  const closeAndReturn = () => {
    close()
    button.current?.focus()
  }
  return { isAvailable, isOpen: isAvailable && isWanted, toggle, close: closeAndReturn, button, conversation }
}

/** Looks like a search input and opens the command palette. */
function PaletteButton() {
  return (
    <Button
      className="palette-button"
      variant="default"
      fw={400}
      w={{ base: 'auto', sm: 320 }}
      justify="space-between"
      leftSection={<Icon name="search" />}
      rightSection={
        <Group gap={4} visibleFrom="sm" wrap="nowrap">
          <Kbd size="xs">Ctrl</Kbd>
          <Kbd size="xs">K</Kbd>
        </Group>
      }
      onClick={spotlight.open}
    >
      <VisuallyHidden hiddenFrom="sm">Search or jump to…</VisuallyHidden>
      <Text component="span" size="sm" c="dimmed" visibleFrom="sm">
        Search or jump to…
      </Text>
    </Button>
  )
}

function AccountMenu({ name, onSignOut }: { readonly name: string; readonly onSignOut: () => void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<Icon name="user" />} px="xs">
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/profile">
          Profile
        </Menu.Item>
        <Menu.Item onClick={onSignOut}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Global shortcuts, and two-key shortcuts for every page. */
function useGlobalShortcuts(openHelp: () => void): void {
  const navigate = useNavigate()
  const shortcuts = useMemo(
    () => [
      { keys: 'Ctrl+K', label: 'Open command palette', run: spotlight.toggle },
      { keys: '/', label: 'Search', run: () => void navigate({ to: '/' }).then(focusSearchBox) },
      { keys: '?', label: 'Show keyboard shortcuts', run: openHelp },
      ...PAGES.flatMap(({ pages }) => pages).flatMap(({ to, label, keys }) =>
        keys ? [{ keys, label: `Go to ${inSentence(label)}`, run: () => void navigate({ to }) }] : [],
      ),
    ],
    [navigate, openHelp],
  )
  useShortcuts(shortcuts)
}

/** Remembers visited pages under the titles they set. */
function useRecentPages(user: string): void {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => {
    // A page sets its final title after loading its data, so the title is read when the page is left.
    return () => {
      const title = titleAt(path)
      if (title !== undefined) rememberPage(user, { path, title })
    }
  }, [user, path])
}
