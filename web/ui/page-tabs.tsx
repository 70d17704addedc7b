import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMay } from '../api/session.ts'
import { useUrlState } from './use-url-state.ts'

/** A tab on the page of an object. */
export interface PageTab<T> {
  readonly name: string
  readonly label: string
  /** Hidden without this permission. */
  readonly permission?: string
  readonly show: (object: T) => ReactNode
}

interface PageTabsProps<T> {
  readonly tabs: readonly PageTab<T>[]
  readonly of: T
}

/** The tabs of an object; the URL contains the chosen one, unless it is the first. */
export function PageTabs<T>({ tabs, of }: PageTabsProps<T>) {
  const may = useMay()
  const url = useUrlState()
  const shown = tabs.filter(({ permission }) => !permission || may(permission))
  const chosen = shown.find(({ name }) => name === url.get('tab')) ?? shown[0]
  return (
    <Tabs
      value={chosen?.name ?? null}
      onChange={(value) => url.set({ tab: value === shown[0]?.name ? null : value, run: null }, true)}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {shown.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map(({ name, show }) => (
        <Tabs.Panel key={name} value={name}>
          {show(of)}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
