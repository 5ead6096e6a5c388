/** French column names. */
import type { ColumnNames } from './column-names.ts'

export const fr: ColumnNames = {
  sku: 'référence | reference produit | code article | référence article | réf article | code produit | numéro d article | ugs | référence interne',
  source_id: 'id produit | identifiant | identifiant produit | identifiant unique | id article',
  gtin: 'code barres | code à barres | code ean | codebarre | code barre | gencod | ean produit',
  mpn: 'référence fabricant | réf fabricant | référence constructeur | numéro de modèle | référence fournisseur fabricant | code fabricant',
  brand: 'marque | fabricant | nom de la marque | constructeur',
  title:
    'nom du produit | nom produit | titre | nom | libellé | désignation | titre du produit | libellé produit | intitulé | nom de l article',
  description:
    'description longue | description produit | description du produit | descriptif | description complète | description détaillée',
  short_description: 'description courte | résumé | descriptif court | accroche | récapitulatif',
  link: 'lien | lien produit | url produit | adresse web | lien vers le produit | page produit | url du produit',
  price:
    'prix | prix de vente | prix ttc | prix unitaire | prix public | prix de vente ttc | prix unitaire ttc | tarif | tarif régulier | prix régulier',
  sale_price:
    'prix promo | prix soldé | prix promotionnel | prix remisé | prix réduit | prix en promotion | tarif promo',
  original_price:
    'tarif régulier | prix régulier | prix barré | prix conseillé | ancien prix | prix d origine | prix public conseillé | prix avant remise | prix initial',
  currency: 'devise | monnaie | code devise | code monnaie',
  availability:
    'disponibilité | en stock | état du stock | disponible | statut du stock | état des stocks | statut de stock',
  quantity:
    'quantité | quantité en stock | qté | stock disponible | quantité disponible | qté en stock | nombre en stock',
  track_stock: 'suivre le stock | suivi du stock | gérer le stock | gestion du stock | suivi des stocks',
  allow_backorder:
    'autoriser les commandes en rupture | autoriser commandes hors stock | commande en rupture | précommandes autorisées | vente hors stock',
  condition: 'état | état du produit | condition du produit | état de l article',
  category:
    'catégorie | catégories | catégorie produit | famille | rayon | type de produit | catégorie principale | arborescence | famille produit',
  google_product_category:
    'catégorie google | catégorie de produits google | catégorie google shopping | taxonomie google',
  image: 'image principale | photo principale | visuel principal | image par défaut',
  images:
    'url image | lien image | photo produit | visuel | visuels | url de l image | images produit | url photo | image produit | images supplémentaires | autres images | lien photo',
  item_group_id:
    'id groupe | groupe d articles | référence parent | sku parent | id parent | identifiant du groupe | groupe de variantes',
  color: 'couleur | coloris | nom de la couleur',
  size: 'taille | pointure | taille produit',
  material: 'matière | matériau | matériaux | tissu',
  pattern: 'motif | imprimé',
  gender: 'genre | sexe',
  age_group: 'tranche d âge | groupe d âge | catégorie d âge',
  weight: 'poids | poids produit | poids net | poids brut | poids du produit | poids d expédition',
  seo_title: 'titre seo | titre méta | méta titre | balise titre | balise title | titre de la page',
  seo_description: 'description seo | méta description | description méta | balise description',
  tags: 'mots clés | étiquettes | mot clé',
  attributes: 'attributs json | attributs | caractéristiques json',
  sale_price_effective_date: 'période de promotion | période promo',
  sale_price_start_date: 'date début promo | début de la promotion',
  sale_price_end_date: 'date fin promo | fin de la promotion',
  unit_pricing_measure: 'contenu net | contenance',
  unit_pricing_base_measure: 'unité de prix',
  availability_date: 'date de disponibilité | disponible à partir du | disponible le',
  expiration_date: 'offre valable jusqu au | date de fin de l offre',
  weight_unit: 'unité de poids',
  dimensions: 'dimensions du produit | dimensions produit',
  dimensions_unit: 'unité de dimension',
  length: 'longueur | profondeur',
  width: 'largeur',
  height: 'hauteur',
}
