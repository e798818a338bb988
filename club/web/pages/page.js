// All pages of an evening begin alike: the address says which one this is.

const page = location.pathname.slice(1) || "hall";
document.documentElement.dataset.page = page;
import(`/static/${page}.js`);
