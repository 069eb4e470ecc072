import { onMounted } from 'vue';
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default {
  extends: theme,
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
