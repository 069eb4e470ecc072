import { withBase } from 'vitepress';
import { h, onMounted } from 'vue';
import theme from 'vitepress/theme-without-fonts';
import './style.css';

const missing = () =>
  h('main', { class: 'missing' }, [
    h('h1', 'There is no such page'),
    h('p', [h('a', { href: withBase('/') }, 'To the start of the guide')]),
  ]);

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'not-found': missing }),
  setup() {
    // The theme makes buttons of the sidebar's headings, for groups that fold. Ours do not.
    onMounted(() => {
      for (const heading of document.querySelectorAll('.VPSidebarItem:not(.collapsible) > .item[role=button]')) {
        heading.removeAttribute('role');
        heading.removeAttribute('tabindex');
      }
    });
  },
};
