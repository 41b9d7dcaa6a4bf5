/**
 * Reading from a storage in simulations, and prefetching: {@link
 * io.github.liquidscheduler.cli.storage.StorageOptions} chooses it, {@link
 * io.github.liquidscheduler.cli.storage.LaunchText} prints what it came to.
 */
@NullMarked
package io.github.liquidscheduler.cli.storage;

import org.jspecify.annotations.NullMarked;
