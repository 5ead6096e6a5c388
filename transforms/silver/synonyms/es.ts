/** Spanish column names. */
import type { ColumnNames } from './column-names.ts'

export const es: ColumnNames = {
  sku: 'referencia | código | código de artículo | código de producto | código producto | número de artículo | referencia interna | código artículo | clave de producto | cod articulo',
  source_id: 'id producto | identificador | id del producto | identificador del producto | id artículo',
  gtin: 'código de barras | código ean | codigo barras | cód barras | ean producto',
  mpn: 'referencia fabricante | referencia del fabricante | número de pieza | código fabricante | número de modelo | número de pieza del fabricante',
  brand: 'marca | fabricante | nombre de la marca | nombre marca',
  title:
    'nombre del producto | nombre producto | título | nombre | título del producto | denominación | nombre del artículo | nombre artículo',
  description:
    'descripción | descripción larga | descripción del producto | descripción completa | descripción detallada | descripción producto',
  short_description: 'descripción corta | resumen | descripción breve | extracto',
  link: 'enlace | url del producto | enlace del producto | url producto | enlace producto | vínculo | página del producto',
  price:
    'precio | precio de venta | pvp | precio venta | precio unitario | precio con iva | precio final | precio normal | precio al público',
  sale_price:
    'precio de oferta | precio oferta | precio rebajado | precio promocional | precio con descuento | precio especial | precio promoción',
  original_price:
    'precio normal | precio original | precio anterior | precio antes | precio de lista | precio recomendado | precio tachado | pvpr | precio sin descuento',
  currency: 'moneda | divisa | código de moneda | tipo de moneda',
  availability:
    'disponibilidad | en existencia | estado de stock | disponible | estado del inventario | hay existencias | estado stock | existencias disponibles',
  quantity:
    'cantidad | existencias | cantidad en stock | inventario | unidades disponibles | cantidad disponible | stock disponible',
  track_stock:
    'controlar inventario | gestionar inventario | gestionar stock | control de stock | seguimiento de inventario',
  allow_backorder:
    'permitir pedidos pendientes | permitir reservas | permitir pedidos sin stock | vender sin stock | permitir pedidos',
  condition: 'condición | estado del producto | estado del artículo | condición del producto',
  category:
    'categoría | categorías | familia | categoría del producto | categoría producto | tipo de producto | departamento | rubro | subfamilia | categoría principal',
  google_product_category:
    'categoría google | categoría de google | categoría de producto de google | categoría de productos de google | taxonomía google',
  image: 'imagen principal | foto principal | imagen destacada | imagen por defecto',
  images:
    'imagen | imágenes | url de imagen | url imagen | foto | fotos | enlace imagen | imagen del producto | imágenes adicionales | url de la imagen | enlace de imagen | fotografía | galería',
  item_group_id:
    'id de grupo | sku padre | id grupo | grupo de artículos | id padre | referencia padre | código padre | grupo de variantes',
  color: 'color del producto | color producto | nombre del color',
  size: 'talla | tamaño | tallas | número de calzado | talla producto',
  material: 'materiales | tejido | tela | material del producto',
  pattern: 'estampado | patrón | motivo',
  gender: 'género | sexo | género objetivo',
  age_group: 'grupo de edad | rango de edad | grupo edad',
  weight: 'peso | peso neto | peso bruto | peso del producto | peso de envío | peso producto',
  seo_title: 'título seo | metatítulo | meta título | título de la página | título meta',
  seo_description: 'descripción seo | metadescripción | meta descripción | descripción meta',
  tags: 'etiquetas | palabras clave | etiqueta | palabras claves',
  attributes: 'atributos json | atributos | características json',
  sale_price_effective_date: 'periodo de oferta',
  sale_price_start_date: 'fecha inicio oferta | inicio de la oferta',
  sale_price_end_date: 'fecha fin oferta | fin de la oferta',
  unit_pricing_measure: 'contenido neto',
  unit_pricing_base_measure: 'unidad de precio',
  availability_date: 'fecha de disponibilidad | disponible desde | disponible a partir de',
  expiration_date: 'oferta válida hasta',
  weight_unit: 'unidad de peso',
  dimensions: 'dimensiones | medidas',
  dimensions_unit: 'unidad de medida de dimensiones',
  length: 'largo | longitud | fondo | profundidad',
  width: 'ancho | anchura',
  height: 'alto | altura',
}
