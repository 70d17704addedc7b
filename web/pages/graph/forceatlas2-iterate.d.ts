declare module 'graphology-layout-forceatlas2/iterate.js' {
  /** One round of the layout, on rows of ten numbers for each node and three for each edge. */
  export default function iterate(settings: object, nodes: Float32Array, edges: Float32Array): void
}
