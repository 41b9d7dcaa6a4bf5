/** Commands that compare ways of sharing GPUs. */
@NullMarked
package io.github.liquidscheduler.cli.sharing;

import org.jspecify.annotations.NullMarked;
