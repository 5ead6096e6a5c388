/** Ids and answers as the API document shows them: one small shop that all examples speak of. */

/** By the name of the parameter: an address shows them wherever a route has it. */
export const exampleIds = {
  workspaceId: 'ws_demo',
  brandId: '0b5f8f0a-3c1e-4d53-8a37-1b1b6f4c2a10',
  catalogId: '5a0c9d52-9f3b-4c8e-9a53-6f0d2b7f1e21',
  productId: 'c8b7a1f4-2d6e-4f7a-8b1c-3e5d7f9a0b32',
  jobId: '9e4d3c2b-1a0f-4e8d-9c7b-6a5f4e3d2c43',
  mergeId: '3c4d5e6f-7081-4293-a4b5-c6d7e8f90112',
  replayId: '2a3b4c5d-6e7f-4081-92a3-b4c5d6e7f809',
  keyId: '1f2e3d4c-5b6a-4978-8899-aabbccddeeff',
  notificationId: '3c4d5e6f-7081-4293-a4b5-c6d7e8f90112',
  importId: '6a7b8c9d-0e1f-4a2b-8c3d-4e5f60718293',
  dashboardId: '7c6b5a49-3827-4615-8f0e-d1c2b3a49586',
  widgetId: '59483726-1504-4f3e-9d2c-b1a09f8e7d6c',
  groupId: '8d7c6b5a-4f3e-8d2c-9b1a-0f9e8d7c6b5a',
  mediaJobId: '4d5e6f70-8192-43a4-b5c6-d7e8f9011223',
  webhookId: '70819203-b4c5-46d7-8e9f-a0b1c2d3e4f5',
  deliveryId: '81920314-c5d6-47e8-9fa0-b1c2d3e4f506',
  fileId: '3b1f0c52-6a7e-4c1d-9d7e-0f4a2c8b6d11',
  targetId: '8c0d7a0e-52b5-4f0e-8a55-5a1d6d1f2b90',
  uploadId: '6f708192-a3b4-45c6-9d7e-8f9011223344',
  searchId: '01932c4b-7e1a-7b3c-9d5e-2f4a6b8c0d1e',
  synonymId: '91a2b3c4-d5e6-47f8-8091-a2b3c4d5e6f7',
  ruleId: 'a2b3c4d5-e6f7-4809-91a2-b3c4d5e6f708',
  subject: 'auth0|5f7c8ec7c33c6c004bbafe82',
  letterId: 'products.bronze:1:0:4711',
  platform: 'google',
  version: '2',
}

const at = '2026-11-28T09:30:00.000Z'

export const exampleCatalog = {
  id: exampleIds.catalogId,
  workspaceId: exampleIds.workspaceId,
  brandId: exampleIds.brandId,
  name: 'Autumn',
  isDefault: false,
  autoPublish: 'off',
  publishedVersion: 0,
  createdAt: at,
  updatedAt: at,
}

export const exampleDeadLetter = {
  id: exampleIds.letterId,
  topic: 'products.bronze',
  position: { epoch: 1, partition: 0, offset: 4711 },
  kind: 'failed',
  says: 'a step of the pipeline failed on it',
  reason: 'value.normalize is not a function',
  state: 'dead',
  attempts: 1,
  key: exampleIds.productId,
  source: 'file:autumn',
  catalogId: exampleIds.catalogId,
  brandId: exampleIds.brandId,
  importId: exampleIds.importId,
  diedAt: at,
  redrivenAt: null,
} as const

export const exampleVersion = {
  version: 2,
  publishedAt: at,
  publishedBy: exampleIds.subject,
  changeCount: 3,
  added: 1,
  modified: 2,
  removed: 0,
  unrefined: 0,
  changelog: 'Autumn prices',
}

export const exampleBrand = {
  id: exampleIds.brandId,
  name: 'Rheingold Home',
  platforms: ['google', 'meta'],
  createdAt: at,
  updatedAt: at,
}

export const exampleNewProduct = {
  title: 'Enamel mug',
  price: 12.5,
  currency: 'EUR',
  sku: 'MUG-1',
  brand: 'Rheingold Home',
  availability: 'in_stock',
  category_path: ['Kitchen', 'Mugs'],
  primary_image_url: 'https://shop.example/mug.jpg',
  link: 'https://shop.example/mug',
}

export const exampleProduct = {
  id: exampleIds.productId,
  workspaceId: exampleIds.workspaceId,
  title: 'Enamel mug',
  price: 12.5,
  currency: 'EUR',
  availability: 'in_stock',
  createdAt: at,
  updatedAt: at,
  catalogId: exampleIds.catalogId,
  description: null,
  brand: 'Rheingold Home',
  categoryPath: ['Kitchen', 'Mugs'],
  originalPrice: null,
  primaryImageUrl: 'https://shop.example/mug.jpg',
  sku: 'MUG-1',
  gtin: null,
  attributes: {},
  optimizationScore: 62,
  feedReady: false,
  createdBy: 'auth0|5f7c8ec7c33c6c004bbafe82',
  brandId: exampleIds.brandId,
  kind: 'single',
  familyId: null,
  stage: 'gold',
  sourceIdentifier: '6f1ed002ab5595859014ebf0951522d9',
  salePrice: null,
  link: 'https://shop.example/mug',
  mpn: null,
  condition: null,
  quantity: null,
  images: ['https://shop.example/mug.jpg'],
  options: {},
  itemGroupId: null,
  googleProductCategory: null,
  color: null,
  size: null,
  material: null,
  pattern: null,
  gender: null,
  ageGroup: null,
  availabilityDate: null,
  salePriceEffectiveDate: null,
  expirationDate: null,
  unitPricingMeasure: null,
  unitPricingBaseMeasure: null,
  weight: '340 g',
  length: null,
  width: null,
  height: '9 cm',
  seoTitle: null,
  seoDescription: null,
  tags: [],
  feedReadyFor: { google: false, meta: false, openai: false },
  scoredWith: {
    rubricVersion: 2,
    weightsNumber: 1,
    settingsNumber: 1,
    positions: [{ epoch: 1, partition: 2, offset: 30 }],
  },
  optionAxes: [],
  stale: false,
  raw: null,
  source: null,
  duplicateGroup: null,
}

export const exampleScore = {
  run: 2,
  at,
  cause: 'graded',
  score: 62,
  dimensions: { identity: 75, content: 41.5, media: 65, pricing: 100, availability: 65, seo: 40, compliance: 58.33 },
  rubricVersion: 4,
  weightsNumber: 1,
}

export const exampleFieldProvenance = {
  field: 'price',
  value: '12.50',
  from: {
    source: 'file:rheingold',
    column: 'Preis',
    mapped: '"Preis" is a known name for price',
    raw: '12,50',
    clears: false,
    import: { id: '4c5d6e7f-8091-42a3-b4c5-d6e7f8091a2b', fileName: 'autumn.csv', by: exampleIds.subject, at },
    row: 17,
    fromFamily: false,
    editor: null,
    topic: null,
    position: { epoch: 1, partition: 2, offset: 30 },
  },
  steps: [{ step: 'number-format', says: '"12,50" is read as 12.50: decimal comma in 519 cells such as "64,90"' }],
  others: [],
}

export const exampleImportedAddress = {
  address: 'https://shop.example/products/enamel-mug',
  state: 'imported',
  result: 'created',
  productId: exampleIds.productId,
  url: 'https://shop.example/products/enamel-mug',
  encoding: 'utf-8',
  fields: {
    title: { value: 'Enamel mug', source: 'json-ld' },
    price: { value: '12.50', source: 'json-ld' },
    currency: { value: 'EUR', source: 'json-ld' },
  },
  conflicts: [{ field: 'price', kept: '12.50 EUR', from: 'json-ld', other: '13.90 USD', otherFrom: 'opengraph' }],
  problems: [],
  error: null,
  finishedAt: at,
}

export const exampleImage = {
  address: 'https://shop.example/mug.jpg',
  productId: exampleIds.productId,
  state: 'dead',
  reason: 'The host answered 404 in place of an image',
  status: 404,
  type: null,
  width: null,
  height: null,
  bytes: null,
  picture: null,
  checkedAt: at,
}

export const exampleJob = {
  id: exampleIds.jobId,
  kind: 'import',
  status: 'active',
  cancelling: false,
  catalogId: exampleIds.catalogId,
  progress: { done: 12_000, total: 50_000, rate: 8_000 },
  eta: '2026-11-28T09:30:05.000Z',
  result: null,
  error: null,
  notifyEmail: 'off',
  retryOf: null,
  links: {
    self: `/jobs/${exampleIds.jobId}`,
    catalog: `/api/workspace/${exampleIds.workspaceId}/catalogs/${exampleIds.catalogId}`,
    version: null,
  },
  createdAt: at,
  startedAt: at,
  finishedAt: null,
}

export const exampleMerge = {
  id: exampleIds.mergeId,
  targetId: exampleIds.catalogId,
  fromId: '7b1d0e63-a04c-4d9f-8b64-701e3c802f32',
  state: 'ready',
  edited: 12,
  created: 1,
  deleted: 0,
  refused: 0,
  conflicts: 2,
  unresolved: 1,
  createdAt: at,
  appliedAt: null,
}

export const exampleConflict = {
  productId: exampleIds.productId,
  field: 'title',
  base: 'Enamel mug',
  from: 'Enamel mug, blue',
  target: 'Enamel mug, 350 ml',
  take: null,
}

export const exampleDuplicates = {
  id: exampleIds.groupId,
  confidence: 95,
  reasons: ['mpn_brand', 'title'],
  members: [
    {
      productId: exampleIds.productId,
      sku: 'MUG-1',
      title: 'Enamel mug',
      reasons: ['mpn_brand', 'title'],
      confidence: 95,
    },
    {
      productId: 'd9c8b7a6-3e5f-4a7b-9c2d-4f6e8a0b1c43',
      sku: 'EM-350',
      title: 'Mug, enamel',
      reasons: ['mpn_brand', 'title'],
      confidence: 95,
    },
  ],
  foundAt: at,
}

export const exampleWorkspace = {
  id: exampleIds.workspaceId,
  name: 'Demonstration',
  plan: 'free',
  createdAt: at,
  updatedAt: at,
}

export const exampleUsage = {
  plan: 'free',
  limits: { products: 1_000, members: 3, storedBytes: 1_073_741_824, aiSpendCents: 500 },
  used: { products: 519, members: 1, storedBytes: 181_224, aiSpendCents: 0 },
}

export const exampleMember = {
  subject: exampleIds.subject,
  email: 'ada@shop.example',
  name: 'Ada',
  role: 'editor',
  allBrands: false,
  brandIds: [exampleIds.brandId],
  createdAt: at,
  updatedAt: at,
}

export const exampleKey = {
  id: exampleIds.keyId,
  name: 'Feeds',
  prefix: '7hT2kQ9xLm4B',
  brandId: exampleIds.brandId,
  scopes: ['mcp:feed:read'],
  createdBy: exampleIds.subject,
  createdAt: at,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  rotatedTo: null,
}

/** Its middle is left out, so that no scanner of secrets takes it for one. */
export const exampleSecret = 'ask_live_7hT2kQ9xLm4B…'

export const examplePolicy = { ipAllow: ['192.0.2.0/24'], sessionMinutes: 480, requireSecondFactor: true }

export const exampleAuditEntry = {
  id: '2b3c4d5e-6f70-4182-93a4-b5c6d7e8f901',
  at,
  brandId: exampleIds.brandId,
  subject: exampleIds.subject,
  action: 'brand.update',
  target: exampleIds.brandId,
  requestId: '7d0d2a52-6c3e-4a53-9bb4-04a6f5b1c0de',
  before: { name: 'Rheingold' },
  after: { name: 'Rheingold Home' },
}

export const exampleSettings = {
  mappings: { every_source: { Artikelnummer: 'sku' }, by_source: { nightly: { Bezeichnung: 'title' } } },
  weights: {
    identity: 2_000,
    content: 2_500,
    media: 1_500,
    pricing: 1_500,
    availability: 1_000,
    seo: 500,
    compliance: 1_000,
  },
  auto_silver: true,
  auto_gold: true,
  currency: 'EUR',
  decimal_separator: ',',
  locale: 'de-DE',
  time_zone: 'Europe/Berlin',
  link_template: 'https://shop.example/p/{sku}',
  default_condition: 'new',
  category_map: { 'Kitchen > Mugs': '2169' },
  auto_publish: 'off',
  mass_change_guard: 0.3,
  check_images: 'off',
}

export const exampleNotification = {
  id: exampleIds.notificationId,
  brandId: exampleIds.brandId,
  kind: 'job.completed',
  jobId: exampleIds.jobId,
  title: 'Import completed',
  text: '412 created, 3 rejected.',
  createdAt: at,
  readAt: null,
}

export const exampleMediaJob = {
  id: exampleIds.mediaJobId,
  brandId: exampleIds.brandId,
  productId: exampleIds.productId,
  kind: 'image-edit',
  status: 'processing',
  provider: 'openai',
  model: 'gpt-image-1',
  result: null,
  error: null,
  createdBy: exampleIds.subject,
  createdAt: at,
  startedAt: at,
  finishedAt: null,
}

export const exampleImport = {
  id: exampleIds.importId,
  catalogId: exampleIds.catalogId,
  brandId: exampleIds.brandId,
  state: 'completed',
  mode: 'merge',
  source: 'warehouse',
  sourceReason: 'source warehouse: named by the caller',
  fileName: 'stock.csv',
  bytes: 48_211,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  rows: 415,
  read: 415,
  created: 12,
  updated: 300,
  unchanged: 97,
  duplicate: 3,
  rejected: 3,
  removed: 0,
  warnings: { ambiguous_number: 2 },
  rowsListed: 'all',
  context: {
    platform: 'generic',
    notes: ['encoding UTF-8', 'delimiter ","'],
    mapping: { Artikelnummer: { field: 'sku', reason: 'a known name of sku' } },
    numbers: { Preis: { decimal: ',', reason: 'cells such as 1.299,00' } },
    currencies: {},
    dates: {},
    languages: {
      Titel: { language: 'de', confidence: 0.97, reason: '312 words and letters such as "und", "mit", "für"' },
    },
  },
  guard: null,
  error: null,
  undone: false,
  undoneAt: null,
  releasedAt: null,
  createdBy: exampleIds.subject,
  createdAt: at,
  finishedAt: at,
  links: {
    self: `/api/workspace/${exampleIds.workspaceId}/imports/${exampleIds.importId}`,
    rows: `/api/workspace/${exampleIds.workspaceId}/imports/${exampleIds.importId}/rows`,
    rejects: `/api/workspace/${exampleIds.workspaceId}/imports/${exampleIds.importId}/rejects`,
    file: `/api/workspace/${exampleIds.workspaceId}/imports/${exampleIds.importId}/file`,
    catalog: `/api/workspace/${exampleIds.workspaceId}/catalogs/${exampleIds.catalogId}`,
    job: `/jobs/${exampleIds.jobId}`,
  },
}

export const exampleImportRow = {
  row: 17,
  result: 'rejected',
  code: 'id_conflict',
  reason: 'another row of this file, row 31, is the same product with other values; the last one counts',
  field: null,
  column: null,
  raw: null,
}
