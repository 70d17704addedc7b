import { type ComponentType, createContext } from 'react'
import type { WidgetData } from './widget-queries.ts'

/** Draws widgets of a type. */
export type WidgetContent = ComponentType<{ readonly data: WidgetData }>

/** The content of widgets that show something other than entities, by type; set by the capabilities that they belong to. */
export const WidgetViews = createContext<Readonly<Record<string, WidgetContent>>>({})
