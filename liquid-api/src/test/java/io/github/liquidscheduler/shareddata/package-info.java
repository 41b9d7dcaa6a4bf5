/** Where tests find public data. */
@NullMarked
package io.github.liquidscheduler.shareddata;

import org.jspecify.annotations.NullMarked;
